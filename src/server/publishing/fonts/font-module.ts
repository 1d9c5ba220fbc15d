import { mkdir, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import { type CutFont, cutFonts } from './cut-fonts.ts'
import { fontPreloads, fontStyles } from './font-css.ts'

const ID = 'virtual:karras/fonts'

/** `virtual:karras/fonts`: the faces' CSS and the preloads; the files go beside the other assets. */
export function fontModule(): AstroIntegration {
  let cut: Promise<CutFont[]> | undefined
  const fonts = () => {
    cut ??= cutFonts()
    return cut
  }
  return {
    name: 'karras:fonts',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        const plugin = {
          name: ID,
          resolveId: (id: string) => (id === ID ? `\0${ID}` : undefined),
          async load(id: string) {
            if (id !== `\0${ID}`) return
            const css = JSON.stringify(fontStyles(await fonts()))
            const preloads = JSON.stringify(fontPreloads(await fonts()))
            return `export const fontCss = ${css}\nexport const fontPreloads = ${preloads}`
          },
        }
        updateConfig({ vite: { plugins: [plugin] } })
      },
      'astro:server:setup': ({ server }) => {
        server.middlewares.use(async (req, res, next) => {
          if (!req.url?.startsWith('/_astro/readex-')) return next()
          const font = (await fonts()).find(({ file }) => req.url === `/_astro/${file}`)
          if (!font) return next()
          res.setHeader('content-type', 'font/woff2')
          res.end(font.bytes)
        })
      },
      'astro:build:done': async ({ dir }) => {
        const assets = new URL('_astro/', dir)
        await mkdir(assets, { recursive: true })
        for (const { file, bytes } of await fonts()) await writeFile(new URL(file, assets), bytes)
      },
    },
  }
}
