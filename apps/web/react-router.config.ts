import type { Config } from '@react-router/dev/config'

// Send the full route manifest with the first page: it is small, and lazy discovery would cost extra requests.
export default { ssr: true, routeDiscovery: { mode: 'initial' } } satisfies Config
