import { fileURLToPath } from 'node:url'
import { emitClientAsset } from 'astro/assets/utils'
import { build } from 'esbuild'
import { stampOf } from './build-stamp.ts'

/** The service worker, and its replacement where it is switched off. */
const WORKERS: Readonly<Record<string, string>> = {
  'virtual:karras/worker': 'worker/worker.ts',
  'virtual:karras/worker-off': 'worker/worker-off.ts',
}

/** Virtual modules, each the text of one small script, and their sources. */
const SOURCES: Readonly<Record<string, string>> = {
  ...WORKERS,
  'virtual:karras/paint': 'layouts/paint.ts',
  'virtual:karras/paint-here': 'layouts/paint-here.ts',
  'virtual:karras/first-page': 'layouts/first-page.ts',
  'virtual:karras/office-gate': 'layouts/office-gate.ts',
}

/** Virtual modules, each the address of one script in its own file, without any chunk of the islands. */
const FILES: Readonly<Record<string, string>> = {
  'virtual:karras/page-script': 'layouts/page-script.ts',
  'virtual:karras/intent-script': 'layouts/intent-script.ts',
}

/** These modules on the development server, whose pages contain the scripts of islands and are not kept. */
const FILES_IN_DEVELOPMENT: typeof FILES = {
  ...FILES,
  'virtual:karras/intent-script': 'layouts/touches.ts',
}

/** A plug-in of Vite that bundles the workers, and the scripts of the shop's pages other than those of islands. */
export function headScripts(srcDir: URL) {
  let isBuild = true
  return {
    name: 'karras:head-scripts',
    configResolved({ command }: { command: string }) {
      isBuild = command === 'build'
    },
    resolveId: (id: string) => (id in SOURCES || id in FILES ? `\0${id}` : undefined),
    async load(this: PluginContext, path: string) {
      const id = path.startsWith('\0') ? path.slice(1) : ''
      const source = SOURCES[id] ?? (isBuild ? FILES : FILES_IN_DEVELOPMENT)[id]
      if (!source) return
      const { text, inputs } = await bundleInline(fileURLToPath(new URL(source, srcDir)), isBuild)
      for (const input of inputs) this.addWatchFile(input)
      // A browser replaces its worker when a byte of it differs: the mark makes it differ in each build.
      const mark = id in WORKERS ? `/*${stampOf(process.cwd())}*/` : ''
      return `export default ${JSON.stringify(id in FILES ? addressOf(this, id, text) : mark + text)}`

      function addressOf(context: PluginContext, id: string, source: string): string {
        if (!isBuild) return `data:text/javascript,${encodeURIComponent(source)}`
        const name = `${id.split('/').at(-1)}.js`
        // Vite replaces this by the address of the file.
        return `__VITE_ASSET__${emitClientAsset(context, { type: 'asset', name, source })}__`
      }
    },
  }
}

type PluginContext = Parameters<typeof emitClientAsset>[0] & { addWatchFile(file: string): void }

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
