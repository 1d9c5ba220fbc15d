import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { DEFAULT_LOCALE, LOCALES } from './src/i18n/locales.ts'
import { ownDirectives } from './src/islands/intent/integration.ts'
import { publishing } from './src/server/publishing/build/integration.ts'

export default defineConfig({
  output: 'server',
  adapter: publishing(),
  integrations: [react(), ownDirectives()],
  // A page is rendered once and cached with its tags; see docs/architecture/publishing.md#how-a-page-travels.
  cache: {
    provider: {
      entrypoint: new URL('./src/server/publishing/site/cache-provider.ts', import.meta.url),
    },
  },
  i18n: {
    locales: [...LOCALES],
    defaultLocale: DEFAULT_LOCALE,
    routing: { prefixDefaultLocale: false },
  },
  trailingSlash: 'never',
  build: {
    // Saves a request before the first paint; the policy allows each sheet by its hash.
    inlineStylesheets: 'always',
  },
  // Nothing is highlighted, and Shiki's inline styles would not be allowed.
  markdown: { syntaxHighlight: false },
  session: false,
  devToolbar: { enabled: false },
})
