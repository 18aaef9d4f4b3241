import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
import { codeBlocks } from './src/site/code-blocks.ts'
import { finishBuild } from './src/site/finish-build.ts'
import { generatedPages } from './src/site/generate-pages.ts'
import { markdownPlugins } from './src/site/markdown-plugins.ts'
import { sidebar } from './src/site/sidebar.ts'

export default defineConfig({
  // Invented. The API replaces it by its own address when it serves a page.
  site: 'https://api.brickmark.example',
  base: '/docs',
  trailingSlash: 'never',
  prefetch: false,
  // One request fewer before the first paint. The API allows each by its hash.
  build: { inlineStylesheets: 'always' },
  // Small scripts would be inlined otherwise; as files they're cached, and the content security policy stays short.
  vite: {
    build: { assetsInlineLimit: 0 },
    // Bundled, because the root of the monorepo has an older version, which Node would find first.
    environments: { prerender: { resolve: { noExternal: ['cookie'] } } },
  },
  devToolbar: { enabled: false },
  integrations: [
    generatedPages(),
    markdownPlugins(),
    starlight({
      title: 'Brickmark docs',
      description: 'How to use the Brickmark API, and how to run Brickmark yourself.',
      logo: { src: './src/assets/logo.svg', alt: '' },
      favicon: '/favicon.svg',
      sidebar,
      customCss: ['./src/styles/brand.css'],
      components: {
        Footer: './src/components/Footer.astro',
        Head: './src/components/Head.astro',
        Search: './src/components/Search.astro',
        SocialIcons: './src/components/HeaderLinks.astro',
      },
      head: [
        {
          tag: 'link',
          attrs: {
            rel: 'alternate',
            type: 'application/atom+xml',
            title: 'API changelog',
            href: '/docs/changelog.xml',
          },
        },
      ],
      expressiveCode: {
        plugins: [codeBlocks],
        themes: ['github-dark-default', 'github-light-default'],
        styleOverrides: { borderRadius: '0.5rem' },
      },
    }),
    finishBuild(),
  ],
})
