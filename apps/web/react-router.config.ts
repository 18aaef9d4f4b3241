import type { Config } from '@react-router/dev/config'

// All routes are known from the first page on: there are few, and asking for them later would cost a request each.
export default { ssr: true, routeDiscovery: { mode: 'initial' } } satisfies Config
