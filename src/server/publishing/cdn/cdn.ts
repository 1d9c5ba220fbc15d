import { type Kysely, sql } from 'kysely'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../rules/durations.ts'
import { EVERY_PAGE_TAG, pathTag } from '../../../rules/page-tags.ts'
import type { CdnConfig, CdnPurge } from '../../config/config.ts'
import type { Schema } from '../../database/schema.ts'
import { transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { isBehind, type Position, presentPosition, readChanges } from '../changes/changes.ts'

/** The longest list of tags that all CDNs read to its end. */
const TAGS_MAX_BYTES = 1024

/** For how long a CDN keeps a page that ends by itself. */
const ENDING_SECONDS = 60

/** A tag in a form that every CDN accepts; tags that become equal are purged together. */
const cdnTag = (tag: string): string => tag.replaceAll(/[^A-Za-z0-9._-]/g, '-')

/**
 * The headers that make a CDN keep a stored page until one of its tags is purged, and browsers
 * revalidate it each time; undefined for a page with too many tags, which the CDN would not purge.
 */
export function cdnHeaders(
  { seconds }: CdnConfig,
  page: { path: string; tags: readonly string[]; maxAge?: number | undefined },
): Readonly<Record<string, string>> | undefined {
  // A page that ends at a moment has less of its time left with each request.
  const most = page.maxAge === undefined ? seconds : Math.min(page.maxAge, ENDING_SECONDS)
  const tags = [...new Set([EVERY_PAGE_TAG, pathTag(page.path), ...page.tags].map(cdnTag))]
  const listed = tags.join(',')
  if (listed.length > TAGS_MAX_BYTES) return
  return {
    'cache-control': `public, max-age=0, s-maxage=${Math.min(seconds, most)}`,
    'cache-tag': listed,
    'cdn-tag': listed,
    'surrogate-key': tags.join(' '),
  }
}

export const PURGE_EVERY_MS = 10 * SECOND_MS
/**
 * After this time every process knows of a change; earlier, the CDN could fetch an old page again.
 */
const AFTER_CHANGED_MS = 6 * SECOND_MS
const AFTER_CHANGED_SOON_MS = 75 * SECOND_MS
/** After this time, processes of an earlier version that is being replaced have stopped. */
const AFTER_REPLACED_MS = 10 * MINUTE_MS
/** Notes of changes are kept for longer than this. */
const NOTES_LAST_MS = DAY_MS
/** With more tags than this, everything is purged instead. */
const MOST_TAGS = 2000

interface Due {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly tags: readonly string[]
}

/** The remaining purges, stored in the database for the process that has the next turn. */
interface State {
  /** The position up to which the notes of changes were read, and the time of that reading. */
  readonly position: Position
  readonly at: number
  /** Notes that were read and may be found again while an older transaction is open. */
  readonly known?: readonly number[]
  readonly due: readonly Due[]
}

type Given = Pick<Deps, 'database' | 'now'>

/** Purges every page from the CDN, now and again once no process of an earlier build is left. */
export async function purgeEveryPage({ database, now }: Given): Promise<void> {
  const at = now()
  const everything = [EVERY_PAGE_TAG]
  await edit(database, async (state) => ({
    ...state,
    due: [...state.due, { at, tags: everything }, { at: at + AFTER_REPLACED_MS, tags: everything }],
  }))
}

/**
 * Purges changed pages from the CDN, whichever process changed them; a timed task calls it. Throws
 * if the CDN does not accept a purge; the office shows that until a later turn succeeds, and no
 * purge is lost meanwhile.
 */
export async function purgeChanges(given: Given, purge: CdnPurge): Promise<void> {
  const { database, now } = given
  const read = await edit(database, (state, tx) => withChanges(tx, state, now()))
  const ready = new Set(read.due.filter(({ at }) => at <= now()))
  const tags = new Set([...ready].flatMap((due) => due.tags))
  if (tags.size === 0) return
  const isAll = tags.has(EVERY_PAGE_TAG) || tags.size > MOST_TAGS
  try {
    const wanted = isAll ? [EVERY_PAGE_TAG] : [...tags]
    await requestPurge(purge, [...new Set(wanted.map(cdnTag))])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The CDN could not be told what changed, which is tried again: ${reason}.`)
  }
  const done = new Set([...ready].map((due) => JSON.stringify(due)))
  await edit(database, async (state) => ({
    ...state,
    due: state.due.filter((due) => !done.has(JSON.stringify(due))),
  }))
}

async function withChanges(tx: Kysely<Schema>, state: State, now: number): Promise<State> {
  const { position } = state
  const present = await presentPosition(tx)
  // This happens after a restore, or after a long time without a CDN.
  if (!isBehind(position, present) || now - state.at > NOTES_LAST_MS) {
    return { position: present, at: now, due: [...state.due, { at: now, tags: [EVERY_PAGE_TAG] }] }
  }
  const read = await readChanges(tx, position, new Set(state.known))
  const due = [
    ...state.due,
    { at: now + AFTER_CHANGED_MS, tags: read.changed },
    { at: now + AFTER_CHANGED_SOON_MS, tags: read.soon },
  ].filter(({ tags }) => tags.length > 0)
  const isCrowded = due.reduce((sum, { tags }) => sum + tags.length, 0) > MOST_TAGS
  return {
    position: read.position,
    at: now,
    known: read.ids,
    // Each keeps its own time: if all waited for the last, they would wait for as long as changes
    // continue.
    due: isCrowded ? due.map(({ at }) => ({ at, tags: [EVERY_PAGE_TAG] })) : due,
  }
}

/** Changes the state, one process after the other. */
function edit(
  database: Deps['database'],
  change: (state: State, tx: Kysely<Schema>) => Promise<State>,
): Promise<State> {
  return transaction(database, async (tx) => {
    const { rows } = await sql<{ state: State }>`
      INSERT INTO cdn_purges (state) VALUES (${JSON.stringify(await begun(tx))}::jsonb)
      ON CONFLICT (is_only) DO UPDATE SET is_only = true RETURNING state`.execute(tx)
    const [row] = rows
    if (!row) throw new Error('the database returned no state')
    const state = await change(row.state, tx)
    await sql`UPDATE cdn_purges SET state = ${JSON.stringify(state)}::jsonb`.execute(tx)
    return state
  })
}

async function begun(tx: Kysely<Schema>): Promise<State> {
  return { position: await presentPosition(tx), at: 0, due: [] }
}

const PATIENCE_MS = 10 * SECOND_MS

interface Service {
  /** How many tags one request may contain. */
  atOnce: number
  headers(secret: string): Record<string, string>
  body(tags: readonly string[]): unknown
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** The CDNs with a specific interface, by the host of their address. */
const SERVICES: Readonly<Record<string, Service>> = {
  'api.cloudflare.com': { atOnce: 30, headers: bearer, body: (tags) => ({ tags }) },
  'api.fastly.com': {
    atOnce: 256,
    headers: (secret) => ({ 'fastly-key': secret }),
    body: (tags) => ({ surrogate_keys: tags }),
  },
  'api.bunny.net': {
    atOnce: 1,
    headers: (secret) => ({ accesskey: secret }),
    body: ([tag]) => ({ CacheTag: tag }),
  },
}

const WEBHOOK: Service = { atOnce: 500, headers: bearer, body: (tags) => ({ tags }) }

/** Requests the CDN to purge the pages with these tags; throws with the reason if it refuses. */
export async function requestPurge(
  { url, secret }: CdnPurge,
  tags: readonly string[],
): Promise<void> {
  const service = SERVICES[new URL(url).hostname] ?? WEBHOOK
  for (let from = 0; from < tags.length; from += service.atOnce) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...service.headers(secret),
      },
      body: JSON.stringify(service.body(tags.slice(from, from + service.atOnce))),
      // The secret must not be sent to any other address.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`it answers ${response.status}`)
  }
}
