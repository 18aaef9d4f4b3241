import { Peppers } from '@brickmark/core/account/peppers'
import { parseEnvironment } from '@brickmark/core/runtime/environment'
import { z } from 'zod'
import { linkPictures, seedDemoInto } from './seed.ts'

/** Loads sample data into a migrated database and prints its logins and API keys once. */
const Environment = z.object({
  DATABASE_URL: z.string(),
  API_KEY_PEPPERS: Peppers,
  WEB_URL: z.url().default('http://localhost:8090'),
})

try {
  const { DATABASE_URL, API_KEY_PEPPERS, WEB_URL } = parseEnvironment(Environment, process.env)
  const keys = await seedDemoInto(DATABASE_URL, API_KEY_PEPPERS.at(-1)!, (step) => process.stderr.write(`${step}\n`))
  await linkPictures(DATABASE_URL, new URL(WEB_URL).origin)
  const lines = keys?.accounts.map(({ email, password, api_key }) => `${email} ${password} ${api_key}`)
  process.stdout.write(`${lines?.join('\n') ?? 'Sample data is already loaded. Nothing to do.'}\n`)
  process.exit()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
