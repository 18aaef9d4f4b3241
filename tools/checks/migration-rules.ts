import { NO_TRANSACTION_MARKER } from '@brickmark/core/db/migrate'

export type Finding = { line: number; text: string }

type Rule = { pattern: RegExp; unless?: RegExp; text: string }

/** Comment required above a destructive statement: the release since which the object is unused. */
const CONTRACT_COMMENT = /^--\s*contract:\s*\S+/m

/**
 * Statements that hold a strong lock for long or break the previous release. Tables created in the same file are exempt.
 */
const RULES: Rule[] = [
  {
    pattern: /\bcreate (unique )?index\b/,
    unless: /\bconcurrently\b/,
    text: 'create the index `concurrently`, in a separate file',
  },
  {
    pattern: /\bdrop index\b/,
    unless: /\bconcurrently\b/,
    text: 'drop the index `concurrently`, in a separate file',
  },
  {
    pattern:
      /\badd (column )?.*\bdefault\b.*\b(random|gen_random_uuid|clock_timestamp|nextval|timeofday)\b|\badd column\b.*\b(bigserial|serial|generated (always|by default))\b/,
    text: 'a volatile default rewrites the table: add the column without it, then backfill in batches',
  },
  {
    pattern: /\balter (column )?\S+ (set data )?type\b/,
    text: 'a type change rewrites the table: add a new column',
  },
  {
    pattern: /\badd (?!constraint\b).*(?<!\bis )\bnot null\b/,
    unless: /\bdefault\b/,
    text: 'existing rows have no value for it: add the column with a constant default, or without `not null`',
  },
  {
    pattern: /\bset not null\b/,
    text: 'scans the whole table under a lock: use `add constraint … check (… is not null) not valid`, then `validate constraint` in the next file',
  },
  {
    pattern: /\badd (constraint \S+ )?(check|foreign key)\b|\breferences\b/,
    unless: /\bnot valid\b/,
    text: 'scans the whole table under a lock: add it `not valid`, then `validate constraint` in the next file',
  },
  {
    pattern: /\badd (constraint \S+ )?(unique|primary key|exclude)\b/,
    unless: /\busing index\b/,
    text: 'builds an index under a lock: create it `concurrently` first, then `using index`',
  },
  {
    pattern: /\b(vacuum full|cluster|lock table)\b|^reindex\b(?!.*concurrently)/,
    text: 'locks a table for the whole operation',
  },
  { pattern: /\btruncate\b/, text: 'deletes rows that the previous release reads' },
  {
    pattern: /\bset (local )?(lock_timeout|statement_timeout)\b/,
    text: '`ops migrate` sets timeouts itself (100 ms, then it retries)',
  },
]

const DESTRUCTIVE = /\bdrop (table|column|schema|view|function|type|constraint|policy|trigger)\b|\brename\b|\brevoke\b/

/** Lints one migration file, statement by statement, without its strings and comments. */
export function lintMigration(sql: string): Finding[] {
  const statements = splitStatements(sql)
  const findings: Finding[] = []
  const created = new Set<string>()
  for (const [index, { line, code, comment }] of statements.entries()) {
    for (const [, name] of code.matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?(\S+)/g)) created.add(name!)
    const add = (text: string) => findings.push({ line, text })
    if (!targetsNewTable(code, created))
      for (const { pattern, unless, text } of RULES) if (pattern.test(code) && !unless?.test(code)) add(text)
    const earlier = statements.slice(0, index).map((statement) => statement.code)
    if (DESTRUCTIVE.test(code) && !CONTRACT_COMMENT.test(comment) && !revokesOwnGrant(code, earlier))
      add('the previous release may use it: remove it one release later, with a comment `-- contract: unused since …`')
  }
  return [...findings, ...checkConcurrently(sql, statements)]
}

function checkConcurrently(sql: string, statements: Statement[]): Finding[] {
  const concurrent = statements.find(({ code }) => /\bconcurrently\b/.test(code))
  const outside = sql.startsWith(NO_TRANSACTION_MARKER)
  if (concurrent && !outside)
    return [{ line: 1, text: `\`concurrently\` needs \`${NO_TRANSACTION_MARKER}\` as the first line` }]
  if (outside && statements.length !== 1)
    return [{ line: 1, text: 'outside a transaction, use one statement per file: a partial run can’t be rolled back' }]
  return []
}

/** True if a statement revokes what the same file granted, or the right of everyone to execute a function it created. */
function revokesOwnGrant(code: string, earlier: string[]): boolean {
  const [, privileges, object, role] = /^revoke (.+) on (.+) from (\w+)$/.exec(code) ?? []
  if (privileges === undefined) return false
  const [, functionName] = /^function (\S+?)\(/.exec(object!) ?? []
  return (
    earlier.includes(`grant ${privileges} on ${object} to ${role}`) ||
    (functionName !== undefined &&
      earlier.some((statement) => statement.startsWith(`create function ${functionName}(`)))
  )
}

/** True if a statement targets a table created in the same file, which no other session can see yet. */
function targetsNewTable(code: string, created: Set<string>): boolean {
  if (/\bcreate (unlogged )?table\b/.test(code)) return true
  const [, name = ''] = /\b(?:alter table(?: if exists)?(?: only)?|\bon|lock table) ([\w.]+)/.exec(code) ?? []
  return created.has(name)
}

type Statement = { line: number; code: string; comment: string }

/** Splits at semicolons outside of strings, function bodies and comments; `code` is lower case, on one line. */
function splitStatements(sql: string): Statement[] {
  const tokens = /(--[^\n]*)|\/\*[\s\S]*?\*\/|(\$(\w*)\$[\s\S]*?\$\3\$)|('(?:[^']|'')*')|(;)|([^;'$/-]+|[$/-])/g
  const statements: Statement[] = []
  let code = ''
  let comment = ''
  let line = 0
  const finish = () => {
    if (code.trim() !== '') statements.push({ line, code: code.replaceAll(/\s+/g, ' ').trim().toLowerCase(), comment })
    code = ''
    comment = ''
    line = 0
  }
  for (const match of sql.matchAll(tokens)) {
    const [whole, remark, body, , text, end] = match
    if (end !== undefined) finish()
    else if (remark !== undefined) comment += `${remark}\n`
    else if (body !== undefined || text !== undefined) code += " '' "
    else if (!whole.startsWith('/*')) {
      if (line === 0 && whole.trim() !== '') {
        const start = match.index + whole.length - whole.trimStart().length
        line = sql.slice(0, start).split('\n').length
      }
      code += whole
    }
  }
  finish()
  return statements
}
