import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import nodemailer from 'nodemailer'
import type { Email } from './email.ts'

/** Hands an email to the mail server. An email that is sent twice has the same `id`, so that it can be recognized. */
export type Transport = { deliver(email: Email, id: string): Promise<unknown>; close(): void }

/** Over SMTP, or, for a machine without a mail server, into files of a folder. */
export function createTransport(mailUrl: string, from: string): Transport {
  return mailUrl.startsWith('file:') ? fileTransport(fileURLToPath(mailUrl), from) : smtpTransport(mailUrl, from)
}

/** Whether the mail server refused the address, which it would do again. */
export function isAddressRefused(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500
}

function smtpTransport(url: string, from: string): Transport {
  const transport = nodemailer.createTransport({ url, pool: true, maxConnections: 5, socketTimeout: 30_000 }, { from })
  return {
    deliver: ({ to, subject, text, html, unsubscribeUrl }, id) =>
      transport.sendMail({
        to,
        subject,
        text,
        html,
        messageId: `<${id}@${domainOf(from)}>`,
        ...(unsubscribeUrl !== undefined && {
          headers: {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }),
      }),
    close: () => transport.close(),
  }
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
}

function fileTransport(folder: string, from: string): Transport {
  return {
    async deliver({ to, subject, text }, id) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${id}.txt`
      await writeFile(`${folder}/${name}`, `From: ${from}\nTo: ${to}\nSubject: ${subject}\n\n${text}\n`, {
        mode: 0o600,
      })
    },
    close() {},
  }
}
