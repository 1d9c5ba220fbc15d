/** Where Astro writes what stands before the first island of a page, and the part of it that is CSS. */
const SCRIPTS = /\/astro\/dist\/runtime\/server\/scripts\.js$/
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is Astro's source that holds this
const STYLE = '<style>${ISLAND_STYLES}</style>'

/**
 * A plug-in of Vite that keeps Astro from writing a `<style>` into the body before a page's first
 * island, where HTML has none: `src/styles/base.css` says the same in the head.
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
