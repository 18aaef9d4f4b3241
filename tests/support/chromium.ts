import { existsSync } from 'node:fs'

/** The full browser, for what the headless build lacks, such as notifications and a camera. */
export const FULL_CHROMIUM_PATH = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Debian’s headless build takes half the CPU time per page of the full browser, which serves as well. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', FULL_CHROMIUM_PATH]

export const CHROMIUM_PATH = process.env['CHROMIUM'] ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[0]!

export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  // One process for the pages of all contexts, and none for graphics: a new process takes longer than a page.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--in-process-gpu',
  '--disable-software-rasterizer',
]

/** Plays a video (MJPEG at 30 frames per second) in place of a camera. Pages still need the permission. */
export function cameraArgs(video: string): string[] {
  return ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${video}`]
}
