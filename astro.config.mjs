import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { intentDirective } from './src/islands/intent/integration.ts'
import { karrasAdapter } from './src/server/publishing/adapter.ts'
import { publishing } from './src/server/publishing/integration.ts'

export default defineConfig({
  output: 'server',
  adapter: karrasAdapter(),
  integrations: [react(), intentDirective(), ...publishing()],
  // A page is rendered once and kept with its tags; see src/server/publishing/publisher.ts.
  cache: {
    provider: {
      entrypoint: new URL('./src/server/publishing/tag-headers.ts', import.meta.url),
    },
  },
  i18n: {
    locales: ['ar', 'fr', 'en'],
    defaultLocale: 'ar',
    routing: { prefixDefaultLocale: false },
  },
  trailingSlash: 'never',
  build: {
    format: 'file',
    // One request less before the first paint; the policy allows each sheet by its hash.
    inlineStylesheets: 'always',
  },
  session: false,
  devToolbar: { enabled: false },
})
