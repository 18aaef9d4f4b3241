import { Command } from 'commander'
import { MAX_MESSAGE } from '@brickmark/core/account/announcement'
import { announce } from '@brickmark/core/account/announcement-commands'
import { parsePositiveInt } from '../arguments.ts'
import { withDatabase } from '../context.ts'

const HOUR_MS = 3_600_000

export const announceCommand = new Command('announce')
  .description('show a message at the top of every page, or end it with --end')
  .argument('[message]')
  .option('--hours <hours>', 'how long to show it', parsePositiveInt, 24)
  .option('--end', 'end the announcement', false)
  .action((message: string | undefined, { hours, end }: { hours: number; end: boolean }) =>
    withDatabase(async (db) => {
      if (end === (message !== undefined)) throw new Error('Give either a message or --end.')
      if (message !== undefined && (message.trim() === '' || message.length > MAX_MESSAGE))
        throw new Error(`The message must have 1 to ${MAX_MESSAGE} characters.`)
      const until = new Date(Date.now() + (end ? 0 : hours * HOUR_MS))
      await announce(db, { message: message?.trim() ?? null, until })
      process.stdout.write(end ? 'The announcement has ended.\n' : `Announced until ${until.toISOString()}.\n`)
    }),
  )
