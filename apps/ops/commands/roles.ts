import { Command } from 'commander'
import pg from 'pg'
import { applyRoles } from '@brickmark/core/db/migrate'
import { findRoleProblems } from '@brickmark/core/db/role-queries'
import { databaseUrl } from '../context.ts'

export const rolesCommand = new Command('roles')
  .description('create the roles of the database and bring them up to date, as an administrator of the server')
  .option('--check', 'only say what differs; exits with 1 if anything does')
  .action(async ({ check }: { check?: true }) => {
    const client = new pg.Client({ connectionString: databaseUrl(), application_name: 'brickmark ops' })
    await client.connect()
    try {
      const problems = await findRoleProblems(client)
      for (const problem of problems) process.stdout.write(`${problem}\n`)
      if (problems.length === 0) process.stdout.write('The roles are up to date.\n')
      else if (check) process.exitCode = 1
      else {
        await applyRoles(client)
        process.stdout.write('Done: the roles are up to date.\n')
      }
    } finally {
      await client.end()
    }
  })
