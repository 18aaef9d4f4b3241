import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type MailServer = {
  url: string
  /** Waits for an email to this address and returns the newest one, decoded, with its headers. */
  waitForEmail(address: string, subject: string): Promise<string>
  /** Number of emails received for this address. */
  countEmails(address: string): number
  /** The ids of the emails received for this address; an email that arrives twice has the same id. */
  messageIds(address: string): string[]
  /** Takes no mail until `resume`, as a server that is overloaded. */
  pause(): void
  resume(): void
  /** Takes no mail to this address, as if it didn't exist. */
  refuse(address: string): void
  stop(): Promise<void>
}

/** Starts a real SMTP server that keeps the emails it receives in memory. */
export async function startMailServer(): Promise<MailServer> {
  const mails: { to: string[]; body: string }[] = []
  const refused = new Set<string>()
  let isPaused = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(isPaused ? smtpError(421, 'Try again later') : null),
    onRcptTo: ({ address }, _session, done) => done(refused.has(address) ? smtpError(550, 'No such user') : null),
    onData(stream, session, done) {
      let raw = ''
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()))
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), body: decodeQuotedPrintable(raw) })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    async waitForEmail(address, subject) {
      for (let tries = 0; tries < 400; tries++) {
        const mail = mails.findLast(({ to, body }) => to.includes(address) && body.includes(`Subject: ${subject}`))
        if (mail) return mail.body
        await sleep(50)
      }
      throw new Error(`No email "${subject}" to ${address} within 20 s.`)
    },
    messageIds: (address) =>
      mails.filter(({ to }) => to.includes(address)).map(({ body }) => /^Message-ID: (\S+)/m.exec(body)![1]!),
    countEmails: (address) => mails.filter(({ to }) => to.includes(address)).length,
    pause: () => void (isPaused = true),
    resume: () => void (isPaused = false),
    refuse: (address) => void refused.add(address),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** Decodes quoted-printable text, also in headers. */
function decodeQuotedPrintable(raw: string): string {
  const joined = raw
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=(\r\n )?/g, (_, word: string) => word.replaceAll('_', ' '))
    .replaceAll('=\r\n', '')
  return joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
