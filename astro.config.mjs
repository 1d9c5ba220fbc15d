import { defineConfig } from 'astro/config'
import { DEFAULT_LOCALE, LOCALES } from './src/i18n/locales.ts'
import { ownDirectives } from './src/islands/intent/integration.ts'
import { karrasAdapter } from './src/server/publishing/build/adapter.ts'
import { publishing } from './src/server/publishing/build/integration.ts'
import { islands } from './src/server/publishing/build/react.ts'

export default defineConfig({
  output: 'server',
  adapter: karrasAdapter(),
  integrations: [islands(), ownDirectives(), publishing()],
  // A page is rendered once and cached with its tags; see docs/architecture.md#how-a-page-travels.
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
  session: false,
  devToolbar: { enabled: false },
})
