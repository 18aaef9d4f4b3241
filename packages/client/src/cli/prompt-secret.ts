import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Reads a secret from piped stdin, or prompts for it without echo. */
export async function promptSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return text(stdin)
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const line = createInterface({ input: stdin, output: discard, terminal: true })
  stderr.write(prompt)
  try {
    return await line.question('')
  } finally {
    line.close()
    stderr.write('\n')
  }
}
