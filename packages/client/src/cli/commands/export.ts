import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Argument, type Command } from 'commander'
import { Brickmark, type Schemas } from '../../brickmark.ts'
import { BrickmarkError } from '../../errors.ts'
import { downloadExport, findExport, type ExportRows } from '../../exports.ts'
import { examples, formatQuota, type CliContext } from '../context.ts'
import { formatCredits, formatNumber } from '../format.ts'
import type { Terminal } from '../terminal.ts'

type Options = { output?: string; dryRun?: boolean }

const MIB = 1024 * 1024

export function addExport(program: Command, { terminal, settings }: CliContext): void {
  program
    .command('export')
    .description('download all sets, minifigs or histories (1 credit, plus 1 per MiB)')
    .addArgument(new Argument('<dataset>', 'what to download').choices(['sets', 'minifigs', 'history']))
    .option('-o, --output <file>', 'where to save it (default: its own name, here)')
    .option('--dry-run', 'show the size and the credit cost without downloading (1 credit)')
    .addHelpText(
      'after',
      examples('brickmark export sets', 'brickmark export history --output history.ndjson.gz') +
        '\n\nThe file is gzipped NDJSON: one JSON object per line. A download that was interrupted continues.',
    )
    .action(async (dataset: keyof ExportRows, options: Options) => {
      const { apiKey, baseUrl } = settings()
      const brickmark = new Brickmark({ apiKey, baseUrl })
      const found = await findExport(brickmark, dataset)
      if (options.dryRun) return terminal.out(`${describe(found)}, ${formatCredits(Math.ceil(found.bytes / MIB))}`)
      await download(terminal, brickmark, found, options.output ?? found.file)
      if (terminal.interactive) terminal.info(`\n${formatQuota(await brickmark.getRateLimit())}`)
    })
}

/** Downloads into a `.part` file, which is renamed once its checksum is right. */
async function download(
  terminal: Terminal,
  brickmark: Brickmark,
  file: Schemas['Export'],
  target: string,
): Promise<void> {
  // Named after the export, so that a download never continues that of another night.
  const part = join(dirname(target), `${file.file}.part`)
  const done = existsSync(part) ? statSync(part).size : 0
  const handle = await open(part, 'a')
  try {
    let position = done
    for await (const bytes of downloadExport(brickmark, file, { from: done })) {
      await handle.write(bytes)
      position += bytes.length
      terminal.progress(`${formatNumber(Math.floor((position / file.bytes) * 100))}%`)
    }
  } finally {
    await handle.close()
  }
  if ((await checksumOf(part)) !== file.sha256) {
    await rm(part)
    throw new BrickmarkError('InternalError', `The checksum of ${part} is wrong, so it was deleted. Please try again.`)
  }
  await rename(part, target)
  terminal.out(`${target}: ${describe(file)}`)
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function describe({ rows, bytes, created_at }: Schemas['Export']): string {
  return `${formatNumber(rows)} rows of ${created_at.slice(0, 10)}, ${formatNumber(Math.ceil(bytes / 1024))} kB`
}
