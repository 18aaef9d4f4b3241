import { attacks, type AttackReport, type Target } from './attacks.ts'

// Runs all attacks at once, in a process of its own: it must not slow down the customers, who are in the parent.
process.once('message', (message) => void run(message as { target: Target; seconds: number }))

async function run({ target, seconds }: { target: Target; seconds: number }): Promise<void> {
  const reports: Record<string, AttackReport> = {}
  await Promise.all(
    attacks.map(async (attack) => {
      reports[attack.name] = await attack.run(target, seconds)
    }),
  )
  process.send!(reports)
}
