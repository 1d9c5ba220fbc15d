import { vi } from 'vitest'
import type { PageTarget } from '../../../src/server/publishing/addresses/addresses.ts'
import {
  type PublishedPagesOptions,
  publishPages,
} from '../../../src/server/publishing/serving/published-pages.ts'
import type { RenderedResponse } from '../../../src/server/publishing/store/page-store.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { clientFor, openStore, renderInto } from './support.ts'

export type Pages = Record<
  string,
  (target: PageTarget) => Partial<RenderedResponse> & { text?: string }
>

/** A publisher of fake pages; `renders` lists what was rendered. */
export function publisherOf(
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
  const get = clientFor((req, res) => publisher.handle(req, res))
  return { publisher, store, renders, report, get, gates }
}
