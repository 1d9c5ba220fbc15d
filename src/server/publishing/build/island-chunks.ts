import type { AstroIntegration } from 'astro'

/** Modules that the browser gets in one file with others: with a file each, a page would load sixty. */
const groups = [
  // What scripts of every page use stays out of the files below: no page of the catalogue loads React.
  { name: 'preload', test: /vite\/preload-helper/, priority: 1 },
  { name: 'keys', test: /\/src\/rules\/storage-keys\.ts$/, priority: 1 },
  { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
  // What most islands have in common. Not their components: a style sheet goes where its module goes.
  {
    name: 'islands',
    test: /\/src\/(rules|i18n|stores|islands\/parts)\/(?!.*office)[^A-Z]*$/,
    minShareCount: 8,
  },
  // What comes with the first call.
  { name: 'calls', test: /\/src\/(client|contract)\/(?!.*office)/, minShareCount: 2 },
]

/** Puts what islands share into few files, in the browser's build alone. */
export function islandChunks(): AstroIntegration {
  const build = { rolldownOptions: { output: { codeSplitting: { groups } } } }
  return {
    name: 'karras:island-chunks',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { environments: { client: { build } } } })
      },
    },
  }
}
