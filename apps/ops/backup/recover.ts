import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProgressBar } from '../progress-bar.ts'

/** What the recovery said about its end. */
export type RecoveryResult = { end: string | undefined; lastTransaction: string | undefined }

type RecoveryOptions = { binDir: string; dataDir: string; wal: string; time: Date | undefined; segments: number }

/** Starts a server on the data directory that nobody else can reach, lets it replay the log, and stops it. */
export async function recover({ binDir, dataDir, wal, time, segments }: RecoveryOptions): Promise<RecoveryResult> {
  const folder = await mkdtemp(join(tmpdir(), 'brickmark-recover-'))
  const [config, hba] = [join(folder, 'postgresql.conf'), join(folder, 'hba.conf')]
  await writeFile(config, '')
  await writeFile(hba, 'local all all reject\n')
  const settings = {
    // The old server's settings are not always in its data directory (Debian has them in /etc), nor made for this machine.
    config_file: config,
    listen_addresses: '',
    unix_socket_directories: folder,
    hba_file: hba,
    // Nobody reads meanwhile, so it does not matter how many connections the old server allowed.
    hot_standby: 'off',
    archive_mode: 'off',
    synchronous_standby_names: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    restore_command: `cp '${wal}/%f' '%p' 2>/dev/null || cp '${wal}/%f.partial' '%p' 2>/dev/null`,
    recovery_target_action: 'promote',
    // On the command line PostgreSQL does not know the zone Z yet.
    ...(time && { recovery_target_time: time.toISOString().replace('Z', '+00') }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(binDir, 'postgres'), ['-D', dataDir, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  })
  const exited = once(server, 'exit')
  const progress = new ProgressBar('replay', process.stderr, Date.now, 'segments')
  let log = ''
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.once('exit', () => reject(new Error(recoveryErrorMessage(log, time))))
      server.stderr.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        progress.report(Math.min(countReplayedSegments(log), segments), segments, countReplayedSegments(log))
        if (log.includes('database system is ready to accept connections')) resolve()
      })
    })
    progress.finish(countReplayedSegments(log))
    return {
      end: /redo done at ([0-9A-F]+\/[0-9A-F]+)/.exec(log)?.[1],
      lastTransaction: /last completed transaction was at log time (.+)/.exec(log)?.[1],
    }
  } finally {
    server.kill('SIGINT')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
}

function countReplayedSegments(log: string): number {
  return log.match(/restored log file "[0-9A-F]{24}"/g)?.length ?? 0
}

function recoveryErrorMessage(log: string, time: Date | undefined): string {
  if (!/recovery ended before configured recovery target was reached/.test(log))
    return `PostgreSQL could not recover:\n${log.trim().split('\n').slice(-5).join('\n')}`
  const last = /last completed transaction was at log time (.+)/.exec(log)?.[1]
  return `The archive does not reach ${time?.toISOString()}: its last transaction is of ${last ?? 'the backup itself'}. Choose an earlier --time, or none for as late as possible.`
}
