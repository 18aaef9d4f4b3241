import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** What is piped in, or typed without being shown. */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return text(stdin)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const line = createInterface({ input: stdin, output: nowhere, terminal: true })
  stderr.write(prompt)
  try {
    return await line.question('')
  } finally {
    line.close()
    stderr.write('\n')
  }
}
