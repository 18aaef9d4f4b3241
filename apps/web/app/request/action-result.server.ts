import { data, type HeadersArgs } from 'react-router'

/** Builds the error result of an action. */
export function actionError(message: string, status = 400, headers?: Headers) {
  return data({ actionError: message }, { status, ...(headers && { headers }) })
}

/** For routes whose action may answer 429: without it, only cookies of an action reach the response. */
export function actionHeaders({ actionHeaders: headers }: HeadersArgs): Headers {
  return headers
}
