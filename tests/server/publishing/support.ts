import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import type { PageTarget } from '../../../src/server/publishing/addresses/addresses.ts'
import type { RenderPage } from '../../../src/server/publishing/rendering/page-renderer.ts'
import { createPageCache } from '../../../src/server/publishing/rendering/page-renderer.ts'
import {
  type PublishedPagesOptions,
  publishPages,
} from '../../../src/server/publishing/serving/published-pages.ts'
import {
  openPageStore,
  type PageStore,
  type PageStoreOptions,
  type RenderedResponse,
} from '../../../src/server/publishing/store/page-store.ts'
import { temporaryDirectory } from '../../support/directory.ts'

/** A store in that directory. */
export function openStore(directory: string, options: Partial<PageStoreOptions> = {}): PageStore {
  return openPageStore({ directory, buildId: 'build-1', ...options })
}

/** Renders fake pages into a store, as the built site does. */
export function renderInto(
  store: PageStore,
  render: (target: PageTarget) => Promise<RenderedResponse>,
): RenderPage {
  const cache = createPageCache({ store, invalidate: () => {} })
  return (target) => cache.answer(target.path + target.search, () => render(target))
}

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

type Handle = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>

/**
 * Puts a handler behind a real server and returns a function that requests it; the path is sent
 * unchanged.
 */
export function clientFor(handle: Handle) {
  return clientForServer(
    createServer(async (req, res) => {
      if (!(await handle(req, res))) res.writeHead(418).end()
    }),
  )
}

/** Does the same for a server. */
export async function clientForServer(server: Server) {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<Answer>((done, fail) => {
      const outgoing = request({ host: '127.0.0.1', port, path, headers, method }, (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk) => chunks.push(chunk))
        res.on('end', () =>
          done({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }),
        )
      })
      outgoing.on('error', fail)
      outgoing.end()
    })
}

/** A page as the renderer returns it. */
export function rendered(path: string, text: string, tags: readonly string[], clock: number) {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }
  return { path, status: 200, body: Buffer.from(text), tags, headers, clock }
}

export type Pages = Record<
  string,
  (target: PageTarget) => Partial<RenderedResponse> & { text?: string }
>

/** A publisher of fake pages; `renders` lists what was rendered. */
export async function publisherOf(
  pages: Pages,
  directory = temporaryDirectory(),
  more: Partial<PublishedPagesOptions> = {},
) {
  const renders: string[] = []
  const gates: Promise<unknown>[] = []
  const report = vi.fn()
  const render = async (target: PageTarget): Promise<RenderedResponse> => {
    renders.push(target.path + target.search)
    const { text = '', ...given } = pages[target.path]?.(target) ?? { status: 404 }
    await gates.shift()
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }
    return { status: 200, body: Buffer.from(text), headers, tags: [], ...given }
  }
  const store = more.store ?? openStore(directory)
  const rendering = { store, render: renderInto(store, render) }
  const options = { ...rendering, report, files: () => false, gatherFor: 60_000, ...more }
  const publisher = publishPages(options)
  const ask = await clientFor((req, res) => publisher.handle(req, res))
  return { publisher, store, renders, report, ask, gates }
}
