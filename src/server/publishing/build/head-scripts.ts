import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { stampOf } from './builds.ts'

/** The service worker, and its replacement where it is switched off. */
const WORKERS: Readonly<Record<string, string>> = {
  'virtual:karras/worker': 'worker/worker.ts',
  'virtual:karras/worker-off': 'worker/worker-off.ts',
}

/** Virtual modules, each the text of one small script, and their sources. */
const SOURCES: Readonly<Record<string, string>> = {
  ...WORKERS,
  'virtual:karras/head': 'layouts/head.ts',
  'virtual:karras/first-page': 'layouts/first-page.ts',
  'virtual:karras/office-gate': 'layouts/office-gate.ts',
}

/** A plug-in of Vite that bundles the workers, and the scripts that run in a page's head. */
export function headScripts(srcDir: URL) {
  let isBuild = true
  return {
    name: 'karras:head-scripts',
    configResolved({ command }: { command: string }) {
      isBuild = command === 'build'
    },
    resolveId: (id: string) => (id in SOURCES ? `\0${id}` : undefined),
    async load(this: { addWatchFile(file: string): void }, path: string) {
      const id = path.startsWith('\0') ? path.slice(1) : ''
      const source = SOURCES[id]
      if (!source) return
      const { text, inputs } = await bundleInline(fileURLToPath(new URL(source, srcDir)), isBuild)
      for (const input of inputs) this.addWatchFile(input)
      // A browser replaces its worker when a byte of it differs: the mark makes it differ in each build.
      const mark = id in WORKERS ? `/*${stampOf(process.cwd())}*/` : ''
      return `export default ${JSON.stringify(mark + text)}`
    },
  }
}

/** A file and its imports as a minified classic script, and the files that it was made from. */
export async function bundleInline(
  source: string,
  isBuild = true,
): Promise<{ text: string; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    // Omits "use strict", since each byte is in every page.
    tsconfigRaw: {},
    define: { 'import.meta.env.PROD': `${isBuild}` },
    write: false,
    metafile: true,
    absWorkingDir: process.cwd(),
  })
  // A `</script` in the text would end the element early.
  const text = (outputFiles[0]?.text ?? '').trim().replaceAll('</script', '<\\/script')
  return { text, inputs: Object.keys(metafile.inputs) }
}
