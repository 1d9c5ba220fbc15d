import { fileURLToPath } from 'node:url'

const RUNTIME = '/astro/dist/runtime/server'
const WHOLE_PAGES = fileURLToPath(new URL('../site/whole-pages.ts', import.meta.url))

/** The changes to Astro's modules: the end of a module's path, its text, and the replacement for the shop's pages. */
const CHANGES: readonly { module: string; from: string; to: string }[] = [
  // HTML allows no `<style>` in a body: `src/styles/base.css` has the same rules in the head.
  {
    module: `${RUNTIME}/scripts.js`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is Astro's own source
    from: '<style>${ISLAND_STYLES}</style>',
    to: '',
  },
  // Islands use our own element: `src/islands/intent/island.ts`.
  {
    module: `${RUNTIME}/scripts.js`,
    from: '"./astro-island.prebuilt.js"',
    to: '"virtual:karras/island"',
  },
  // The intent script, one file for all pages, wakes sleeping islands and defines their element.
  {
    module: `${RUNTIME}/scripts.js`,
    from: 'function getPrescripts(result, type, directive) {',
    to: `function getPrescripts(result, type, directive) {
      if (directive === 'intent') {
        result._metadata.hasHydrationScript = false
        return ''
      }`,
  },
  // The page is complete without its scripts, which leave the line to what is painted.
  {
    module: `${RUNTIME}/render/script.js`,
    from: '<script type="module" src=',
    to: '<script type="module" fetchpriority="low" src=',
  },
  // A page is passed on part by part: `site/whole-pages.ts`.
  {
    module: `${RUNTIME}/render/astro/render.js`,
    from: 'const DOCTYPE_EXP',
    to: `import { addToPage, beginPage } from ${JSON.stringify(WHOLE_PAGES)};
      const DOCTYPE_EXP`,
  },
  {
    module: `${RUNTIME}/render/astro/render.js`,
    from: 'let str = "";',
    to: 'let str = ""; if (isPage) beginPage();',
  },
  {
    module: `${RUNTIME}/render/astro/render.js`,
    from: 'str += chunkToString(result, chunk);',
    to: 'const html = chunkToString(result, chunk); str += isPage ? addToPage(html) : html;',
  },
  {
    module: `${RUNTIME}/render/page.js`,
    from: '"./common.js"',
    to: JSON.stringify(WHOLE_PAGES),
  },
]

/** A plug-in of Vite that changes what Astro writes into pages, and how it hands them over. */
export const astroMarkup = {
  name: 'karras:astro-markup',
  apply: 'build' as const,
  transform(this: { error(message: string): never }, code: string, id: string) {
    const changes = CHANGES.filter(({ module }) => id.endsWith(module))
    if (changes.length === 0) return
    let changed = code
    for (const { from, to } of changes) {
      if (!changed.includes(from)) this.error(`${id} no longer has ${from}`)
      changed = changed.replace(from, to)
    }
    return { code: changed, map: null }
  },
}
