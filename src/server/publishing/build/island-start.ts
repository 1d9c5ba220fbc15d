/** Astro's module that writes what precedes the first island of a page, and the CSS in it. */
const SCRIPTS = /\/astro\/dist\/runtime\/server\/scripts\.js$/
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is Astro's own source
const STYLE = '<style>${ISLAND_STYLES}</style>'

/**
 * A plug-in of Vite that keeps Astro from writing a `<style>` into the body before a page's first
 * island, where HTML allows none: `src/styles/base.css` has the same rules in the head.
 */
export const islandStyle = {
  name: 'karras:island-style',
  apply: 'build' as const,
  transform(this: { error(message: string): never }, code: string, id: string) {
    if (!SCRIPTS.test(id)) return
    if (!code.includes(STYLE)) this.error(`${id} no longer writes ${STYLE}`)
    return { code: code.replace(STYLE, ''), map: null }
  },
}
