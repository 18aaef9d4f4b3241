import { CodeBlock } from './code-block.tsx'
import { useRootData } from './root-data.ts'

/** Shows how to get the same data via curl, Google Sheets or the CLI, and its cost. `path` is relative to /api/v1. */
export function ApiSnippets({
  path,
  cost,
  sheetsFormula,
  cliCommand,
}: {
  path: string
  cost: number
  sheetsFormula?: string
  cliCommand?: string
}) {
  const apiUrl = useRootData()?.apiUrl ?? ''
  return (
    <details className="text-sm">
      <summary className="w-fit text-ink-soft underline decoration-line-strong underline-offset-4">
        Use this data elsewhere
      </summary>
      <div className="mt-3 grid gap-3 rounded-card border border-line bg-card p-4">
        <p className="text-ink-soft">
          Each API call uses {cost} {cost === 1 ? 'credit' : 'credits'}. Viewing this page is free.
        </p>
        <CodeBlock label="curl" text={`curl -H "Authorization: Bearer $BRICKMARK_API_KEY" '${apiUrl}${path}'`} />
        {sheetsFormula !== undefined && <CodeBlock label="Google Sheets" text={sheetsFormula} />}
        {cliCommand !== undefined && <CodeBlock label="CLI" text={cliCommand} />}
      </div>
    </details>
  )
}
