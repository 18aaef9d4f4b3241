/** Builds a CSV response that the browser saves as a file. */
export function csvDownload(name: string, text: string): Response {
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` }
  return new Response(text, { headers })
}
