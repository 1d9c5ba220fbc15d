import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { stampOf } from './build-stamp.ts'

/** The service worker, and what replaces it where it is switched off. */
const WORKERS: Readonly<Record<string, string>> = {
  'virtual:karras/worker': 'worker/worker.ts',
  'virtual:karras/worker-off': 'worker/worker-off.ts',
}

/** Virtual modules, each the text of one small script, and their sources. */
const SOURCES: Readonly<Record<string, string>> = {
  ...WORKERS,
  'virtual:karras/paint': 'layouts/paint.ts',
  'virtual:karras/paint-here': 'layouts/paint-here.ts',
  'virtual:karras/island': 'islands/intent/island.ts',
  'virtual:karras/first-page': 'layouts/first-page.ts',
  'virtual:karras/office-gate': 'layouts/office-gate.ts',
}
const IDS = Object.keys(SOURCES)

/** A plug-in of Vite that bundles the scripts that run before anything is painted, and the workers. */
export function headScripts(srcDir: URL) {
  return {
    name: 'karras:head-scripts',
    resolveId: (id: string) => (IDS.includes(id) ? `\0${id}` : undefined),
    async load(this: { addWatchFile(file: string): void }, id: string) {
      const source = id.startsWith('\0') && SOURCES[id.slice(1)]
      if (!source) return
      const { text, inputs } = await bundleInline(fileURLToPath(new URL(source, srcDir)))
      for (const input of inputs) this.addWatchFile(input)
      // A browser replaces its worker when a byte of it differs: by each build.
      const mark = id.slice(1) in WORKERS ? `/*${stampOf(process.cwd())}*/` : ''
      return `export default ${JSON.stringify(mark + text)}`
    },
  }
}

/** A file and its imports as a minified classic script, and the files that it was made from. */
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
