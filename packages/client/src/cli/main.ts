#!/usr/bin/env node
import { CommanderError } from 'commander'
import { exitCodeOf, formatError } from './errors.ts'
import { createContext } from './context.ts'
import { buildProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

/** Entry point of the `brickmark` CLI: the only file that reads arguments and sets the exit code. */

// A reader such as `head` may close the pipe early, which isn't an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const terminal = openTerminal(process)
const program = buildProgram(createContext(terminal))
try {
  if (process.argv.length === 2) program.help({ error: true })
  await program.parseAsync()
} catch (error) {
  // Commander has already printed its own errors.
  if (!(error instanceof CommanderError)) terminal.info(`brickmark: ${formatError(error)}`)
  process.exitCode = exitCodeOf(error)
}
