import type { IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { readFilters } from '../../contract/shop-filters.ts'
import { MINUTE_MS } from '../../rules/durations.ts'
import { LANGUAGES } from '../../rules/languages.ts'
import { NUMBERED_PAGES } from '../../rules/numbered-pages.ts'
import { foldText } from '../../rules/search-fold.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import {
  EMPTY_SEARCHES_LEAST,
  OPENED_HEADER,
  VISIT_STEPS,
  type VisitStep,
} from '../../rules/visits.ts'
import type { Database } from '../database/pool.ts'
import type { VisitCounts } from '../deps.ts'

/** How many search texts are stored for a day. */
const SEARCHES_KEPT_A_DAY = 500
/**
 * How many search texts a process counts at a time; further ones are not counted until the next
 * day.
 */
const SEARCHES_COUNTED = 2000

/** Programs that identify themselves: search engines, link previews, scripts. */
const DECLARED_PROGRAM =
  /(?<!cu)bot|crawl|spider|slurp|preview|fetch|facebookexternalhit|whatsapp\/|curl|wget|python|java\/|okhttp|go-http|axios/i

// Cached because there are few browsers and the pattern is slow; bounded because a client may
// invent names.
const programs = new LRUCache<string, boolean>({ max: 1000 })

function isDeclaredProgram(program: string): boolean {
  const known = programs.get(program)
  if (known !== undefined) return known
  const isDeclared = DECLARED_PROGRAM.test(program)
  if (program.length < 400) programs.set(program, isDeclared)
  return isDeclared
}

const OFFICE_PATH = new RegExp(`^/(?:(?:${LANGUAGES.join('|')})/)?office(?:/|$)`)
const DOCUMENT_PATH = `${NUMBERED_PAGES.document}/`

interface EmptySearch {
  count: number
  /** The part of the count that is already in the database. */
  kept: number
}

/**
 * Counts visits in memory, without telling visitors apart, and adds the numbers to the database
 * every minute; if the process is killed, those of the last minute are lost. `page` is for the hot
 * path.
 */
export function openVisitCounts({
  database,
  now = Date.now,
}: {
  database: Pick<Database, 'kysely'>
  now?: () => number
}): VisitCounts {
  const counts: Record<VisitStep, number> = { visit: 0, details: 0, cart: 0 }
  let day = ''
  const emptySearches = new Map<string, EmptySearch>()
  let flushing: Promise<void> = Promise.resolve()
  const beat = setInterval(() => void flush(), MINUTE_MS).unref()

  function page(request: IncomingMessage, path: string, isEmpty: boolean): void {
    const { headers, method, url = '' } = request
    const program = headers['user-agent']
    const isOpened = method === 'HEAD' && headers[OPENED_HEADER] !== undefined
    if ((method !== 'GET' && !isOpened) || !program || isDeclaredProgram(program)) return
    if (headers['sec-purpose'] !== undefined) return // prefetched, and perhaps never seen
    if (isEmpty) search(url)
    const kind = headers['sec-fetch-dest']
    if ((kind !== undefined && kind !== 'document' && !isOpened) || OFFICE_PATH.test(path)) return
    if (path.includes(DOCUMENT_PATH)) counts.details++
    // A payer who returns from the gateway was already counted.
    if (comesFromElsewhere(request) && !url.includes('payment=')) counts.visit++
  }

  function search(url: string): void {
    const { title = '' } = readFilters(new URLSearchParams(url.slice(url.indexOf('?') + 1)))
    const words = foldText(title)
    if (mustNotBeStored(title, words)) return
    const known = emptySearches.get(words)
    if (known) known.count++
    else if (emptySearches.size < SEARCHES_COUNTED) emptySearches.set(words, { count: 1, kept: 0 })
  }

  /** Adds the counts to the database; counts that cannot be written are added the next time. */
  function flush(): Promise<void> {
    flushing = flushing.then(writeVisits)
    return flushing
  }

  async function writeVisits(): Promise<void> {
    const today = tunisianDay(new Date(now()))
    const steps = VISIT_STEPS.filter((step) => counts[step] > 0)
    const rows = steps.map((step) => ({ day: today, step, count: counts[step] }))
    for (const step of steps) counts[step] = 0
    try {
      if (rows.length > 0) {
        await database.kysely
          .insertInto('visitCounts')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['day', 'step'])
              .doUpdateSet({ count: sql`visit_counts.count + excluded.count` }),
          )
          .execute()
      }
    } catch {
      for (const { step, count } of rows) counts[step] += count
    }
    await keepSearches(today).catch(() => {})
    if (day !== today) emptySearches.clear()
    day = today
  }

  async function keepSearches(today: string): Promise<void> {
    const kept = [...emptySearches.values()].filter((one) => one.kept > 0).length
    const due = [...emptySearches].filter(
      ([, one]) => one.count >= EMPTY_SEARCHES_LEAST && one.count > one.kept,
    )
    const known = due.filter(([, one]) => one.kept > 0)
    const added = due.filter(([, one]) => one.kept === 0).slice(0, SEARCHES_KEPT_A_DAY - kept)
    const rows = [...known, ...added].map(([words, one]) => ({ words, one, count: one.count }))
    if (rows.length === 0) return
    await sql`
      INSERT INTO empty_searches AS known (day, words, count)
      SELECT ${today}, words, count FROM unnest(
        ${rows.map(({ words }) => words)}::text[],
        ${rows.map(({ one, count }) => count - one.kept)}::bigint[]
      ) AS added (words, count)
      WHERE (SELECT count(*) FROM empty_searches WHERE day = ${today}) < ${SEARCHES_KEPT_A_DAY}
        OR EXISTS (SELECT FROM empty_searches s WHERE s.day = ${today} AND s.words = added.words)
      ON CONFLICT (day, words) DO UPDATE SET count = known.count + excluded.count`.execute(
      database.kysely,
    )
    for (const { one, count } of rows) one.kept = count
  }

  return {
    page,
    add(step: VisitStep): void {
      counts[step]++
    },
    flush,
    async close(): Promise<void> {
      clearInterval(beat)
      await flush()
    },
  }
}

/** Whether the visitor arrives with this request: no page of this site led to it. */
function comesFromElsewhere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin'
  const { referer, host } = headers
  return referer === undefined || !referer.includes(`//${host}/`)
}

/** The longest search text that is stored, in characters. */
export const KEPT_SEARCH_MAX_LENGTH = 60

/** A text with more digits may contain a phone number. */
const DIGITS_MOST = 5

/**
 * Whether a search must not be stored: it is too short or too long to be useful, or it may contain
 * an e-mail address, a link or a phone number. `words` is the folded text.
 */
function mustNotBeStored(text: string, words: string): boolean {
  if (words.length < 2 || words.length > KEPT_SEARCH_MAX_LENGTH) return true
  if (/[@＠]|:\/\/|\bwww\b/i.test(text)) return true
  return words.replace(/\P{N}/gu, '').length > DIGITS_MOST
}
