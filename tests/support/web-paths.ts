import webRoutes from '@brickmark/web/routes'

type WebRoute = { path?: string; index?: boolean; children?: WebRoute[] }

/** Returns every address of the web app: its route table, with parameters, and what its host answers itself. */
export function listPaths(): string[] {
  return [...pathsOf(webRoutes), '/hooks/bounces', '/sitemap.xml', '/robots.txt', '/healthz', '/readyz', '/nothing']
}

function pathsOf(entries: WebRoute[], parent = ''): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const full = path === undefined ? parent : `${parent}/${path}`
    return [...(path !== undefined || index ? [full || '/'] : []), ...pathsOf(children ?? [], full)]
  })
}
