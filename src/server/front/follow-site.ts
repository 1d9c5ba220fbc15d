import type { Api } from '../../client/api.ts'
import { ApiError } from '../../client/api.ts'
import type { AnyCall, Input } from '../../contract/call.ts'
import {
  type Facts,
  getFacts,
  getFeatures,
  getInterfaceTexts,
  getSitePage,
  type InterfaceTexts,
  type SitePage,
} from '../../contract/site.ts'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import { type Feature, lacking } from '../../rules/features.ts'
import { inEachLanguage } from '../../rules/languages.ts'
import { FIRST_FACTS, presentPage, shippedPage } from '../site-texts/site-texts.ts'

/** How long the backend may be away before it is asked again for what was never known. */
const RETRY_MS = 5 * SECOND_MS

/**
 * Another backend's API, with the shop's facts, pages and texts of the repository where that backend
 * has none. Nobody announces a change there: its features, and the facts and texts, which every page
 * shows, are read each minute, and `changed` is called when they are others. `openApi` opens the API
 * without the calls of features that the backend lacks.
 */
export function followSite(
  openApi: (lacks: (feature: Feature) => boolean) => Api,
  { changed }: { changed: () => void },
) {
  /** Null until the backend has answered for the first time. */
  let features: readonly string[] | null = null
  let facts: Facts = { ...FIRST_FACTS, emptyPages: ['team'] }
  let words: InterfaceTexts = SHIPPED
  let known = ''
  /** As last read, for readers who come while the backend is away. */
  const pages = new Map<string, SitePage>()

  const has = () => features ?? []
  const backend = openApi((feature) => lacking(has()).includes(feature))

  async function read(): Promise<void> {
    // If the backend has none, or does not answer, the known ones stay.
    features = await readFeatures().catch(() => features)
    const [someFacts, someWords] = await Promise.all([
      backend(getFacts, {}).catch(() => facts),
      backend(getInterfaceTexts, {}).catch(() => words),
    ])
    facts = someFacts
    words = someWords
    const now = JSON.stringify([has(), facts, words])
    // Pages that were stored before a restart may show anything else.
    if (now !== known) changed()
    known = now
  }

  async function readFeatures(): Promise<readonly string[]> {
    try {
      return (await backend(getFeatures, {})).features
    } catch (error) {
      // The specification's calls alone.
      if (isNotFound(error)) return []
      throw error
    }
  }

  async function readPage(input: Input<typeof getSitePage>): Promise<SitePage> {
    const { params, query } = input
    const key = `${params.name} ${query.locale}`
    try {
      const page = await backend(getSitePage, input)
      pages.set(key, page)
      return page
    } catch (error) {
      const last = isNotFound(error) ? undefined : pages.get(key)
      const { locale } = query
      return (
        last ??
        presentPage(params.name, shippedPage(params.name, false), { locale, shop: facts.brand })
      )
    }
  }

  const api: Api = async (call, input, options) => {
    // Every page needs to know what the backend has.
    if (features === null) await begun
    if (isCall(call, getFeatures)) return { features: has() } as never
    if (isCall(call, getFacts)) return facts as never
    if (isCall(call, getInterfaceTexts)) return words as never
    if (isCall(call, getSitePage)) return readPage(input as never) as never
    return backend(call, input, options)
  }

  let timer: NodeJS.Timeout
  async function follow(): Promise<void> {
    await read()
    timer = setTimeout(follow, features === null ? RETRY_MS : MINUTE_MS)
    timer.unref()
  }
  const begun = follow()
  return { api, begun, read, stop: () => clearTimeout(timer) }
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** No text is replaced. */
const SHIPPED: InterfaceTexts = { id: '', texts: inEachLanguage(() => ({})) }

/** By its address: the built pages have copies of the contract's calls of their own. */
const isCall = (call: AnyCall, wanted: AnyCall): boolean =>
  call.method === wanted.method && call.path === wanted.path
