import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // Keep @brickmark/core external: bundling it would create a second instance of each module next to the one the server
  // process imports, with separate connection pool state.
  environments: { ssr: { build: { rolldownOptions: { external: [/^@brickmark\/core\//] } } } },
})
