import { setTimeout as sleep } from 'node:timers/promises'

/** A browser without JavaScript: it keeps cookies, follows redirects, and waits when it's told to. */
export class BrowserSession {
  readonly #origin: string
  readonly #cookies = new Map<string, string>()

  constructor(origin: string) {
    this.#origin = origin
  }

  get(path: string): Promise<string> {
    return this.#send(path)
  }

  post(path: string, fields: Record<string, string>): Promise<string> {
    return this.#send(path, new URLSearchParams(fields))
  }

  async #send(path: string, body?: URLSearchParams): Promise<string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, this.#origin), {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie, origin: this.#origin },
      ...(body && { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=') as [string, string]
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    // It reads faster than people may, and than a busy machine can answer.
    const retryAfter = response.headers.get('retry-after')
    if (retryAfter !== null) {
      await sleep((Number(retryAfter) + 1) * 1000)
      return this.#send(path, body)
    }
    if (response.status >= 400) throw new Error(`${path}: status ${response.status}`)
    const location = response.headers.get('location')
    return location === null ? response.text() : this.get(location)
  }
}
