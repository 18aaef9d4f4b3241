import { CodeBlock } from './code-block.tsx'
import { useRootData } from './root-data.ts'

/** Shows how to get the same data via curl, Google Sheets or the CLI, and its cost. `path` is relative to /api/v1. */
export function ApiSnippets({
  path,
  cost,
  sheetsFormula,
  cliCommand,
  setNumber,
}: {
  path: string
  cost: number
  sheetsFormula?: string
  cliCommand?: string
  /** A set that pages elsewhere can show a badge of. */
  setNumber?: string
}) {
  const { apiUrl = '', publicUrl = '', hasBadges = false } = useRootData() ?? {}
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
        {setNumber !== undefined && hasBadges && (
          <CodeBlock
            label="Badge for your own page (free)"
            text={badgeHtml(publicUrl, encodeURIComponent(setNumber))}
          />
        )}
      </div>
    </details>
  )
}

function badgeHtml(publicUrl: string, number: string): string {
  const badge = `${publicUrl}/badges/sets/${number}.svg`
  return `<a href="${publicUrl}/set/${number}"><img src="${badge}" alt="Value at Brickmark" height="20"></a>`
}
