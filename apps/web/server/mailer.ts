import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import nodemailer from 'nodemailer'
import { logError } from './log.ts'

export type Mail = { to: string; subject: string; text: string }

/** Sends mails after the answer has left, so that nobody learns from its delay whether an address is known. */
export type Mailer = { send(mail: Mail): void; idle(): Promise<unknown> }

/** Over SMTP, or, for a machine without a mail server, into files of a folder. */
export function openMailer(mailUrl: string, from: string): Mailer {
  const underWay = new Set<Promise<unknown>>()
  const deliver = mailUrl.startsWith('file:') ? intoFolder(fileURLToPath(mailUrl), from) : overSmtp(mailUrl, from)
  return {
    send(mail) {
      const sending = deliver(mail)
        .catch((error: unknown) => logError('a mail could not be sent', error))
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    idle: () => Promise.all(underWay),
  }
}

function overSmtp(url: string, from: string): (mail: Mail) => Promise<unknown> {
  const transport = nodemailer.createTransport(url, { from })
  return (mail) => transport.sendMail(mail)
}

function intoFolder(folder: string, from: string): (mail: Mail) => Promise<unknown> {
  return async ({ to, subject, text }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.txt`
    await writeFile(`${folder}/${name}`, `From: ${from}\nTo: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600 })
  }
}
