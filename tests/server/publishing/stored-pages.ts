import type { PageStore } from '../../../src/server/publishing/store/page-store.ts'
import { clientFor, rendered } from './support.ts'

export const put = (store: PageStore, path: string, text: string, tags: string[]) =>
  store.put(rendered(path, text, tags, store.clock()))

/** What a client reads of a page, or undefined where the store has none. */
export async function textOf(store: PageStore, path: string): Promise<string | undefined> {
  const page = await store.get(path)
  if (!page) return
  const get = await clientFor((req, res) => page.send(req, res))
  return (await get('/')).body.toString()
}
