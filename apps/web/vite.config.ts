import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // The server part uses the service's modules as the process itself does: bundled, there would be two of each, and what one
  // of them knows of its pools the other would not.
  environments: { ssr: { build: { rolldownOptions: { external: [/^@brickmark\/core\//] } } } },
})
