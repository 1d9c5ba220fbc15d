/** Astro's module that writes what precedes the first island of a page. */
const SCRIPTS = /\/astro\/dist\/runtime\/server\/scripts\.js$/
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is Astro's own source
const STYLE = '<style>${ISLAND_STYLES}</style>'
const ELEMENT = '"./astro-island.prebuilt.js"'

/**
 * A plug-in of Vite that has Astro write our element of islands, `islands/intent/island.ts`, in place of its
 * own, and keeps it from writing a `<style>` into the body before a page's first island, where HTML allows
 * none: `src/styles/base.css` has the same rules in the head.
 */
export const islandStart = {
  name: 'karras:island-start',
  apply: 'build' as const,
  transform(this: { error(message: string): never }, code: string, id: string) {
    if (!SCRIPTS.test(id)) return
    for (const known of [STYLE, ELEMENT]) {
      if (!code.includes(known)) this.error(`${id} no longer has ${known}`)
    }
    return { code: code.replace(STYLE, '').replace(ELEMENT, '"virtual:karras/island"'), map: null }
  },
}
