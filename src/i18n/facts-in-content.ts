import type { AstroIntegration } from 'astro'
import { fillFacts } from './facts.ts'
import { isLocale } from './locales.ts'
import { textsIn } from './texts.ts'

/** Fills the facts of the rules into the Markdown of `src/content/<language>/` before it is rendered. */
export function factsInContent(): AstroIntegration {
  return {
    name: 'karras:facts-in-content',
    hooks: {
      'astro:config:setup': ({ config: { markdown } }) => {
        const { processor } = markdown
        const createRenderer = processor.createRenderer.bind(processor)
        processor.createRenderer = async (options) => {
          const renderer = await createRenderer(options)
          return {
            render: (content, file) => renderer.render(filled(content, file?.fileURL), file),
          }
        }
      },
    },
  }
}

function filled(content: string, file: URL | undefined): string {
  const locale = file && /\/content\/(\w+)\//.exec(file.pathname)?.[1]
  return isLocale(locale) ? fillFacts(locale, textsIn(locale, 'units:counts'), content) : content
}
