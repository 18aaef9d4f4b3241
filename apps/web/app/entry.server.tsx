import { renderToReadableStream } from 'react-dom/server'
import { isDatabaseUnavailable } from '@brickmark/core/db/database'
import { ServerRouter, type EntryContext, type HandleErrorFunction, type RouterContextProvider } from 'react-router'
import { log } from '../host/log.ts'
import { NonceContext } from './ui/nonce.ts'
import { requestContext } from './request/context.server.ts'

export { createRequestContext } from './request/context.server.ts'

/** One page as HTML, whole before it is sent: without script there would be nothing to fill gaps in later. */
export default async function handleDocumentRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, requestId, unavailable, retryAfter } = context.get(requestContext)
  let failed = false
  const page = await renderToReadableStream(
    <NonceContext value={nonce}>
      <ServerRouter context={router} url={request.url} nonce={nonce} />
    </NonceContext>,
    {
      nonce,
      signal: request.signal,
      onError(error) {
        failed = true
        log.error({ err: error, requestId }, 'page render failed')
      },
    },
  )
  await page.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  if (unavailable) {
    headers.set('retry-after', '2')
    return new Response(page, { headers, status: 503 })
  }
  return new Response(page, { headers, status: failed ? 500 : status })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  const requestInfo = context.get(requestContext)
  if (isDatabaseUnavailable(error)) requestInfo.unavailable = true
  if (!request.signal.aborted) log.error({ err: error, requestId: requestInfo.requestId }, 'route handler failed')
}
