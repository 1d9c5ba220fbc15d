import type { Api } from '../../client/api.ts'
import { ApiError } from '../../client/api.ts'
import type { Input } from '../../contract/call.ts'
import { type Facts, getFacts, getSitePage } from '../../contract/site.ts'
import { MINUTE_MS } from '../../rules/durations.ts'
import { FIRST_FACTS } from '../../site.ts'
import { firstPage, presentPage } from '../site-texts/site-texts.ts'

/**
 * Another backend's API, with the shop's facts and pages of the repository where that backend has none.
 * Nobody announces a change there: the facts, which every page shows, are read each minute, and
 * `changed` is called when they are others.
 */
export function followSite(backend: Api, { changed }: { changed: () => void }) {
  let facts: Facts = FIRST_FACTS

  async function read(): Promise<void> {
    try {
      const found = await backend(getFacts, {})
      if (JSON.stringify(found) === JSON.stringify(facts)) return
      facts = found
      changed()
    } catch {
      // It has none, or does not answer: what is known stays.
    }
  }

  const api: Api = async (call, input, options) => {
    if (isCall(call, getFacts)) return facts as never
    if (!isCall(call, getSitePage)) return backend(call, input, options)
    try {
      return await backend(call, input, options)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      const { params, query } = input as Input<typeof getSitePage>
      return presentPage(params.name, firstPage(params.name), query.locale) as never
    }
  }

  const timer = setInterval(read, MINUTE_MS)
  timer.unref()
  return { api, read, stop: () => clearInterval(timer) }
}

const isCall = (call: unknown, wanted: unknown): boolean => call === wanted
