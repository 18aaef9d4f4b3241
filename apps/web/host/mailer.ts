import { setTimeout as sleep } from 'node:timers/promises'
import { recordBounce } from '@brickmark/core/alert/mail-settings-commands'
import { takeQuotaMail } from '@brickmark/core/account/quota-mail-commands'
import { takeDueMail } from '@brickmark/core/alert/due-mail-commands'
import { findAccountByEmail } from '@brickmark/core/account/user-queries'
import { type Database, writeAs } from '@brickmark/core/db/database'
import {
  addMessages,
  claimMessages,
  deleteMessage,
  retryMessage,
  type WaitingMessage,
} from '@brickmark/core/mail/message-commands'
import type { WebConfig } from './config.ts'
import type { Email } from './email.ts'
import { alertsEmail, quotaEmail } from './emails.ts'
import { log } from './log.ts'
import { MailEncryption } from './mail-encryption.ts'
import { createTransport, isAddressRefused, type Transport } from './mail-transport.ts'
import type { WebMetrics } from './metrics.ts'

const POLL_INTERVAL_MS = 1000
const BATCH_SIZE = 20
const ACCOUNTS_PER_BATCH = 50
/** Longer than sending a batch can take. */
const LEASE_SECONDS = 300
const RETRY_SECONDS = [5, 15, 60, 120, 300, 600]
const DEFAULT_EXPIRY_HOURS = 24

/**
 * Sends mail through an outbox in the database, so that none is lost while the mail server or this process is down. Any
 * number of web processes share the outbox.
 */
export class Mailer {
  readonly #database: Database
  readonly #config: WebConfig
  readonly #metrics: WebMetrics
  readonly #encryption: MailEncryption
  readonly #stopping = new AbortController()
  readonly #saving = new Set<Promise<unknown>>()
  #wake = new AbortController()
  readonly #running: Promise<unknown>

  constructor(db: Database, config: WebConfig, metrics: WebMetrics) {
    this.#database = db
    this.#config = config
    this.#metrics = metrics
    this.#encryption = new MailEncryption(config.secret)
    this.#running = Promise.all([this.#runOutbox(), this.#runAlertMail()])
  }

  /** Doesn't wait, so that the time a response takes doesn't reveal whether an address has an account. */
  send(email: Email): void {
    const saving = this.#save(this.#database, [email])
      .then(() => this.#wake.abort())
      .catch((error: unknown) => {
        this.#metrics.recordEmail('failed')
        log.error({ err: error }, 'failed to save email')
      })
      .finally(() => this.#saving.delete(saving))
    this.#saving.add(saving)
  }

  /** Saves what is being sent, and stops after the current batch. */
  async stop(): Promise<void> {
    await Promise.all(this.#saving)
    this.#stopping.abort()
    this.#wake.abort()
    await this.#running
  }

  async #save(db: Database, emails: Email[]): Promise<void> {
    await addMessages(
      db,
      emails.map((email) => ({
        content: this.#encryption.encrypt(email),
        expiresInHours: email.expiresInHours ?? DEFAULT_EXPIRY_HOURS,
      })),
    )
  }

  async #runOutbox(): Promise<void> {
    const transport = createTransport(this.#config.mailUrl, this.#config.mailFrom)
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController()
      let isIdle = true
      try {
        const messages = await claimMessages(this.#database, BATCH_SIZE, LEASE_SECONDS)
        await Promise.all(messages.map((message) => this.#deliver(transport, message)))
        isIdle = messages.length < BATCH_SIZE
      } catch (error) {
        log.error({ err: error }, 'sending email failed, retrying')
      }
      if (isIdle) await sleep(POLL_INTERVAL_MS, undefined, { signal: this.#wake.signal }).catch(() => {})
    }
    transport.close()
  }

  /** A loop of its own, so that a backlog of alerts never delays confirmation and reset links. */
  async #runAlertMail(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      let accounts = 0
      try {
        accounts = Math.max(await this.#writeAlertMail(), await this.#writeQuotaMail())
        if (accounts > 0) this.#wake.abort()
      } catch (error) {
        log.error({ err: error }, 'writing email about alerts and credits failed, retrying')
      }
      if (accounts < ACCOUNTS_PER_BATCH)
        await sleep(POLL_INTERVAL_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  /** Writes the mail about alerts that is due, and marks it as written in the same transaction. */
  async #writeAlertMail(): Promise<number> {
    return this.#database.transaction().execute(async (transaction) => {
      const due = await takeDueMail(transaction, ACCOUNTS_PER_BATCH)
      await this.#save(
        transaction,
        due.map((mail) => alertsEmail(this.#config, mail)),
      )
      return due.length
    })
  }

  async #writeQuotaMail(): Promise<number> {
    return this.#database.transaction().execute(async (transaction) => {
      const due = await takeQuotaMail(transaction, ACCOUNTS_PER_BATCH)
      await this.#save(
        transaction,
        due.map((mail) => quotaEmail(this.#config.publicUrl, mail)),
      )
      return due.length
    })
  }

  async #deliver(transport: Transport, message: WaitingMessage): Promise<void> {
    const email = this.#decrypt(message)
    if (email === undefined || message.isExpired) {
      await this.#giveUp(message, 'it expired, or the secret that encrypts it has changed')
      return
    }
    try {
      await transport.deliver(email, `message-${message.id}`)
      await deleteMessage(this.#database, message.id)
      this.#metrics.recordEmail('sent')
    } catch (error) {
      if (isAddressRefused(error)) {
        await stopMailTo(this.#database, email.to)
        await this.#giveUp(message, 'the mail server refused its address')
        return
      }
      const inSeconds = RETRY_SECONDS[message.attempts - 1] ?? RETRY_SECONDS.at(-1)!
      await retryMessage(this.#database, message.id, { inSeconds, error: (error as Error).message })
      this.#metrics.recordEmail('delayed')
      log.warn({ err: error, attempts: message.attempts }, 'failed to send email, will retry')
    }
  }

  #decrypt({ content }: WaitingMessage): Email | undefined {
    try {
      return this.#encryption.decrypt(content)
    } catch {
      return undefined
    }
  }

  async #giveUp({ id }: WaitingMessage, reason: string): Promise<void> {
    await deleteMessage(this.#database, id)
    this.#metrics.recordEmail('failed')
    log.error({ message: id }, `gave up on an email: ${reason}`)
  }
}

/** Stops mail about alerts to an address that rejects it, if a user has that address. */
export async function stopMailTo(db: Database, address: string): Promise<void> {
  const accountId = await findAccountByEmail(db, address.toLowerCase())
  if (accountId !== undefined) await writeAs(db, accountId, (tx) => recordBounce(tx, accountId))
}
