import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const CORE = fileURLToPath(new URL('../../packages/core/src', import.meta.url))

// Keep @brickmark/core external: bundling it would create a second instance of each module next to the one the server
// process imports, with separate connection pool state. In development, Vite needs the name of every module.
const coreModules = globSync('**/*.ts', { cwd: CORE }).map((file) => `@brickmark/core/${file.slice(0, -'.ts'.length)}`)

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // Finds dependencies at the start: those found later reload every page.
  optimizeDeps: { entries: ['app/**/*.tsx'] },
  environments: {
    ssr: {
      resolve: { external: coreModules },
      build: { rolldownOptions: { external: [/^@brickmark\/core\//] } },
    },
  },
})
