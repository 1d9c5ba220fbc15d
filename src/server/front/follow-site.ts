import type { Api } from '../../client/api.ts'
import { ApiError } from '../../client/api.ts'
import type { AnyCall, Input } from '../../contract/call.ts'
import {
  type Facts,
  getFacts,
  getInterfaceTexts,
  getSitePage,
  type InterfaceTexts,
} from '../../contract/site.ts'
import { MINUTE_MS } from '../../rules/durations.ts'
import { inEachLanguage } from '../../rules/languages.ts'
import { FIRST_FACTS } from '../../site.ts'
import { presentPage, shippedPage } from '../site-texts/site-texts.ts'

/**
 * Another backend's API, with the shop's facts, pages and texts of the repository where that backend has
 * none. Nobody announces a change there: the facts and texts, which every page shows, are read each
 * minute, and `changed` is called when they are others.
 */
export function followSite(backend: Api, { changed }: { changed: () => void }) {
  let facts: Facts = { ...FIRST_FACTS, emptyPages: ['team'] }
  let words: InterfaceTexts = SHIPPED

  async function read(): Promise<void> {
    // If the backend has none, or does not answer, the known ones stay.
    const [someFacts, someWords] = await Promise.all([
      backend(getFacts, {}).catch(() => facts),
      backend(getInterfaceTexts, {}).catch(() => words),
    ])
    if (JSON.stringify([someFacts, someWords]) === JSON.stringify([facts, words])) return
    facts = someFacts
    words = someWords
    changed()
  }

  const api: Api = async (call, input, options) => {
    if (isCall(call, getFacts)) return facts as never
    if (isCall(call, getInterfaceTexts)) return words as never
    if (!isCall(call, getSitePage)) return backend(call, input, options)
    try {
      return await backend(call, input, options)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      const { params, query } = input as Input<typeof getSitePage>
      return presentPage(params.name, shippedPage(params.name, false), {
        locale: query.locale,
        shop: facts.brand,
      }) as never
    }
  }

  const timer = setInterval(read, MINUTE_MS)
  timer.unref()
  return { api, read, stop: () => clearInterval(timer) }
}

/** No text is replaced. */
const SHIPPED: InterfaceTexts = { id: '', texts: inEachLanguage(() => ({})) }

/** By its address: the built pages have copies of the contract's calls of their own. */
const isCall = (call: AnyCall, wanted: AnyCall): boolean =>
  call.method === wanted.method && call.path === wanted.path
