// A process of its own: builds the small site of `site/` with the project's own configuration and
// serves it as the shop serves its pages. Sends its parent the address. Scripts can be delayed,
// made to fail, or held until the next change, by GET /control?scripts=<milliseconds>|fail|held.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileSite } from '../../../src/server/publishing/build/compile.ts'
import { createPageCache } from '../../../src/server/publishing/rendering/page-renderer.ts'
import {
  type PublishedPages,
  publishPages,
} from '../../../src/server/publishing/serving/published-pages.ts'
import {
  prerenderedPages,
  staticFiles,
} from '../../../src/server/publishing/serving/static-files.ts'
import { loadSite } from '../../../src/server/publishing/site/site.ts'
import { openPageStore } from '../../../src/server/publishing/store/page-store.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
// Inside the project, because the build imports its packages.
mkdirSync(join(root, 'dist'), { recursive: true })
const outDir = mkdtempSync(join(root, 'dist', 'test-'))
process.on('disconnect', async () => {
  await rm(outDir, { recursive: true, force: true })
  process.exit()
})

await compileSite({
  root,
  srcDir: fileURLToPath(new URL('./site', import.meta.url)),
  publicDir: join(outDir, 'no-public'),
  cacheDir: join(outDir, 'cache'),
  outDir,
})

let title = 'first'
let scripts = '0'
let change = Promise.withResolvers<void>()
const api = (async (id: string) => {
  if (title === 'busy') throw Object.assign(new Error('The test is busy.'), { status: 503 })
  if (title === 'fail') throw new Error('The test makes the page fail.')
  return `${title} ${id}`
}) as never
const store = openPageStore({ directory: join(outDir, 'pages'), buildId: 'test' })
const pages: PublishedPages = publishPages({
  store,
  files: staticFiles(join(outDir, 'client')),
  prerendered: prerenderedPages(join(outDir, 'client')),
  ...(await loadSite({
    serverDirectory: join(outDir, 'server'),
    siteUrl: 'https://karras.example',
    cache: createPageCache({ store, invalidate: (tags) => void pages.changed(tags) }),
    locals: { api, provider: 'none', officeUrl: null, isForeign: false, reachesPhones: false },
  })),
})

const server = createServer(async (req, res) => {
  const url = new URL(req.url ?? '/', 'http://test')
  if (url.pathname === '/control') {
    scripts = url.searchParams.get('scripts') ?? scripts
    title = url.searchParams.get('title') ?? title
    change.resolve()
    change = Promise.withResolvers()
    await pages.changed(url.searchParams.getAll('changed'))
    res.end()
    return
  }
  if (url.pathname.endsWith('.js')) {
    if (scripts === 'held') await change.promise
    if (scripts === 'fail') return void res.writeHead(503).end()
    await new Promise((done) => setTimeout(done, Number(scripts)))
  }
  if (!(await pages.handle(req, res))) res.writeHead(418).end()
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
