import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import nodemailer from 'nodemailer'
import { log } from './log.ts'
import type { WebMetrics } from './metrics.ts'

export type Email = { to: string; subject: string; text: string; html: string }

/** Sends mail after the response, so that its timing doesn't reveal whether an address has an account. */
export type Mailer = { send(mail: Email): void; flush(): Promise<unknown> }

/** Over SMTP, or, for a machine without a mail server, into files of a folder. */
export function createMailer(mailUrl: string, from: string, metrics: WebMetrics): Mailer {
  const pending = new Set<Promise<unknown>>()
  const deliver = mailUrl.startsWith('file:')
    ? fileTransport(fileURLToPath(mailUrl), from)
    : smtpTransport(mailUrl, from)
  return {
    send(mail) {
      const sending = deliver(mail)
        .then(
          () => metrics.recordEmail('sent'),
          (error: unknown) => {
            metrics.recordEmail('failed')
            log.error({ err: error }, 'failed to send email')
          },
        )
        .finally(() => pending.delete(sending))
      pending.add(sending)
    },
    flush: () => Promise.all(pending),
  }
}

function smtpTransport(url: string, from: string): (mail: Email) => Promise<unknown> {
  const transport = nodemailer.createTransport(url, { from })
  return (mail) => transport.sendMail(mail)
}

function fileTransport(folder: string, from: string): (mail: Email) => Promise<unknown> {
  return async ({ to, subject, text }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.txt`
    await writeFile(`${folder}/${name}`, `From: ${from}\nTo: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600 })
  }
}
