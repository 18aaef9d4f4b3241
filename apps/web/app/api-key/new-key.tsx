import { Card } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { FirstRequest } from './first-request.tsx'
import { useRootData } from '../ui/root-data.ts'

/** Shows a newly created key, which is displayed only once, with code samples that contain it. */
export function CreatedKey({ id, name, apiKey }: { id: number; name: string; apiKey: string }) {
  const apiUrl = useRootData()?.apiUrl ?? ''
  return (
    <Card title={`API key “${name}” created`}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p>
          Copy your key now. <strong>You won’t be able to see it again.</strong>
        </p>
        <CodeBlock label="API key" text={apiKey} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h3 className="font-medium">Try it out (1 credit)</h3>
          {codeSamples(apiUrl, apiKey).map(([label, text], index) => (
            <details
              key={label}
              name="samples"
              open={index === 0}
              className="rounded-control border border-line px-3 py-2"
            >
              <summary className="font-medium">{label}</summary>
              <div className="mt-2">
                <CodeBlock label={`${label} example`} text={text} />
              </div>
            </details>
          ))}
        </div>
        <FirstRequest keyId={id} initial={null} />
      </div>
    </Card>
  )
}

function codeSamples(apiUrl: string, key: string): [label: string, text: string][] {
  return [
    ['curl', `curl -H 'Authorization: Bearer ${key}' '${apiUrl}/brickfolio'`],
    [
      'JavaScript',
      `const response = await fetch('${apiUrl}/brickfolio', {
  headers: { Authorization: 'Bearer ${key}' },
})
console.log(response.status, await response.json())`,
    ],
    [
      'Python',
      `import json, urllib.request

request = urllib.request.Request(
    '${apiUrl}/brickfolio',
    headers={'Authorization': 'Bearer ${key}'},
)
print(json.load(urllib.request.urlopen(request)))`,
    ],
    [
      'Google Sheets',
      `// Extensions → Apps Script; then =BRICKMARK("/brickfolio") in a cell
function BRICKMARK(path) {
  const response = UrlFetchApp.fetch('${apiUrl}' + path, {
    headers: { Authorization: 'Bearer ${key}' },
    muteHttpExceptions: true,
  })
  return response.getContentText()
}`,
    ],
  ]
}
