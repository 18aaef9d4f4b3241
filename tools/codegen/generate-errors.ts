/** What the SDKs and the errors page say about failed requests, from the error responses of the OpenAPI document. */

type ErrorResponse = {
  description: string
  'x-charged': 'no' | 'yes' | 'header'
  'x-retry': 'no' | 'backoff' | 'retry-after'
  content: { 'application/json': { examples: object } }
}

const RETRY = { no: 'No', backoff: 'Yes', 'retry-after': 'After `Retry-After`' }
const CREDITS = { no: '0', yes: 'As for a `200`', header: '0, unless `X-Charged` is `maybe`' }

/** Failures without a response of the API. Nothing says whether the request was charged, except if it never left. */
const OTHER_ROWS = [
  ['Other 5xx', '', 'A proxy in front of the API failed.', 'Yes', 'Unknown'],
  ['', '', "The connection couldn't be opened.", 'Yes', '0'],
  ['', '', 'There was no complete response: a timeout, or the connection was lost.', 'Yes', 'Unknown'],
]

/** Statuses of the API's own errors that may be retried and are free unless `X-Charged` is `maybe`. */
export function retryableStatuses(openapi: object): number[] {
  const retryable = errorResponses(openapi).filter(([, response]) => response['x-retry'] !== 'no')
  return retryable.map(([status]) => Number(status))
}

/** The table of the errors page. */
export function errorsTable(openapi: object): string {
  const rows = errorResponses(openapi).flatMap(([status, response]) =>
    Object.keys(response.content['application/json'].examples).map((code) => [
      status,
      `[\`${code}\`](#${code})`,
      /^.*?\./.exec(response.description)![0],
      RETRY[response['x-retry']],
      CREDITS[response['x-charged']],
    ]),
  )
  const header = ['Status', 'Code', 'What happened', 'Retry?', 'Credits']
  const lines = [header, header.map(() => '---'), ...rows, ...OTHER_ROWS]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Replaces what is between the comments `name` and `end of name` of a page. */
export function replaceSection(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name}: written by \`npm run generate\` -->\n\n`, `\n\n<!-- end of ${name} -->`]
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`The page has no section "${name}".`)
  return before + start + text + end + after
}

function errorResponses(openapi: object): [status: string, ErrorResponse][] {
  const { components } = openapi as { components: { responses: Record<string, ErrorResponse> } }
  return Object.entries(components.responses).map(([name, response]) => [name.replace('Error', ''), response])
}
