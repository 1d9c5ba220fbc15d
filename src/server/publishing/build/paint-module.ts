import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { build } from 'esbuild'

const ID = 'virtual:karras/paint'

/** `virtual:karras/paint`: `src/layouts/paint.ts` as the text of one small script for the `<head>`. */
export function paintModule(): AstroIntegration {
  return {
    name: 'karras:paint',
    hooks: {
      'astro:config:setup': ({ config, updateConfig }) => {
        const source = fileURLToPath(new URL('layouts/paint.ts', config.srcDir))
        const plugin = {
          name: ID,
          resolveId: (id: string) => (id === ID ? `\0${ID}` : undefined),
          async load(this: { addWatchFile(file: string): void }, id: string) {
            if (id !== `\0${ID}`) return
            const { text, inputs } = await bundleInline(source)
            for (const input of inputs) this.addWatchFile(input)
            return `export const paintScript = ${JSON.stringify(text)}`
          },
        }
        updateConfig({ vite: { plugins: [plugin] } })
      },
    },
  }
}

/** One file and what it imports as a minified classic script, and the files it was made from. */
export async function bundleInline(source: string): Promise<{ text: string; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    // Without "use strict": each byte is in every page.
    tsconfigRaw: {},
    write: false,
    metafile: true,
    absWorkingDir: process.cwd(),
  })
  // A `</script` in the text would end the element early.
  const text = (outputFiles[0]?.text ?? '').trim().replaceAll('</script', '<\\/script')
  return { text, inputs: Object.keys(metafile.inputs) }
}
