import { loadPages, type Page } from '../site/pages.ts'

export function getStaticPaths(): { params: { page: string }; props: Page }[] {
  return loadPages().map((page) => ({ params: { page: page.name }, props: page }))
}

/** Serves a page as Markdown. */
export function GET({ props }: { props: Page }): Response {
  return new Response(props.markdown)
}
