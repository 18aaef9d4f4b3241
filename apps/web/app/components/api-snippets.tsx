import { useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '../root.tsx'
import { Code } from './code-block.tsx'

/** The same data from outside: as curl, in a sheet, on the command line, and what it costs. `path` is below /api/v1. */
export function GetThisAs({
  path,
  units,
  sheet,
  command,
}: {
  path: string
  units: number
  sheet?: string
  command?: string
}) {
  const apiUrl = useRouteLoaderData<typeof rootLoader>('root')?.apiUrl ?? ''
  return (
    <details className="text-sm">
      <summary className="w-fit text-ink-soft underline decoration-line-strong underline-offset-4">
        Get this as…
      </summary>
      <div className="mt-3 grid gap-3 rounded-card border border-line bg-card p-4">
        <p className="text-ink-soft">
          One call costs {units} {units === 1 ? 'unit' : 'units'} of a key’s day. Looking at this page costs nothing.
        </p>
        <Code label="curl" text={`curl -H "Authorization: Bearer $BRICKMARK_API_KEY" '${apiUrl}${path}'`} />
        {sheet !== undefined && <Code label="Google Sheets" text={sheet} />}
        {command !== undefined && <Code label="Command line" text={command} />}
      </div>
    </details>
  )
}
