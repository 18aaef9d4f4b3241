import { data } from 'react-router'
import { PageMeta } from '../ui/page-meta.tsx'
import { getServices } from '../request/context.server.ts'
import type { Route } from './+types/legal.ts'

export function loader({ params, context }: Route.LoaderArgs) {
  const page = getServices(context).legalPages.find(params.name)
  if (page === undefined) throw data(null, 404)
  return page
}

/** A page that the operator wrote in Markdown. */
export default function Legal({ loaderData }: Route.ComponentProps) {
  const { name, title, html } = loaderData
  return (
    <article className="mx-auto max-w-prose">
      <PageMeta title={title} path={`/legal/${name}`} />
      {/* oxlint-disable-next-line react/no-danger -- the operator's own text, rendered on the server */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
    </article>
  )
}
