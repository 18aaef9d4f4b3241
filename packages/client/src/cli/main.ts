#!/usr/bin/env node
import { CommanderError } from 'commander'
import { exitCodeOf, formatError } from './errors.ts'
import { createContext } from './context.ts'
import { buildProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

/** The command line `brickmark`: the only file that reads arguments and sets the exit code. */

// Whoever reads us, like `head`, may have had enough: that is no error of ours.
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
  // Commander has said what it has to say.
  if (!(error instanceof CommanderError)) terminal.info(`brickmark: ${formatError(error)}`)
  process.exitCode = exitCodeOf(error)
}
