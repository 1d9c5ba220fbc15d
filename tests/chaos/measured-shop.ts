import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Api, createApi } from '../../src/client/api.ts'
import * as uploads from '../../src/contract/uploads.ts'
import type { StaffUploadPurpose } from '../../src/rules/uploads.ts'
import { type Database, openDatabase } from '../../src/server/database/pool.ts'
import { keyOfText } from '../../src/server/http/secret.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { type Factories, factories, type Person } from '../support/factories.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'

/** What `shop-probe.ts` prints of a shop's own process. */
export interface Sample {
  /** Resident memory now, and the most since its start, in bytes. */
  readonly rss: number
  readonly most: number
  /** The longest time that the event loop stood still since the last sample, in milliseconds. */
  readonly stoodStill: number
  /** The most processor time of the main thread in such a time: not what other programs took. */
  readonly ownWork: number
}

/** What happened in a shop's own process for a while. */
export interface Noticed {
  /** Resident memory at the beginning, and the most since then, in megabytes. */
  readonly before: number
  readonly most: number
  readonly grown: number
  /** The longest time that the event loop stood still, and its own part in one, in milliseconds. */
  readonly stoodStill: number
  readonly ownWork: number
}

/** A shop in a process of its own, with what an attack needs, and a watch on that process. */
export interface MeasuredShop extends Factories {
  readonly url: string
  readonly process: ShopProcess
  readonly database: Database
  /** Calls again, as our pages do, where the shop answers that it is busy. */
  readonly api: Api
  /** Watches the shop's own process; the result says what happened since. */
  watch(): () => Noticed
  close(): Promise<void>
}

const MEGABYTE = 1024 ** 2

/**
 * Starts the demo shop of a checkout (this one by default) as `npm start` does, with a database of
 * its own; `fill` copies one into an empty directory. With `databaseUrl` only the backend starts,
 * on that empty migrated database.
 */
export async function openMeasuredShop({
  root = '.',
  fill,
  databaseUrl,
}: {
  root?: string
  fill?: (dataDir: string) => Promise<void>
  databaseUrl?: string
} = {}): Promise<MeasuredShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-chaos-'))
  await fill?.(dataDir)
  const secret = randomBytes(32).toString('hex')
  const probe = join(import.meta.dirname, 'shop-probe.ts')
  const options = ['--import', probe]
  const backend = [process.execPath, ...options, 'tests/server/chat/backend-process.ts'] as const
  const shop = await spawnShop(
    {
      DATA_DIR: dataDir,
      JWT_SECRET: secret,
      CHAT_MAIL: '0',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : { DEMO: '1' }),
    },
    { root, ...(databaseUrl ? { command: backend } : { nodeOptions: options }) },
  )
  if (!databaseUrl && !fill) await shop.says(/^Rendered \d+ pages/m)
  const database = databaseUrl ? openDatabase(databaseUrl) : openDatabaseOf(dataDir)
  return {
    ...factories({
      database,
      dataDir,
      secret: keyOfText(secret),
      now: Date.now,
      // Names and addresses of the demo shop count from 1.
      firstNumber: 1000,
    }),
    url: shop.url,
    process: shop,
    database,
    api: createApi(async ({ method, path, headers, body, bytes }) => {
      const given = bytes ?? body
      const init = { method, headers, ...(given !== undefined && { body: given }) }
      const answer = await patientFetch(`${shop.url}/api${path}`, init)
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      return { status: answer.status, body: text && isJson ? JSON.parse(text) : text || null }
    }),
    watch() {
      const from = shop.output().length
      return () => summary(samplesIn(shop.output(), from))
    },
    async close() {
      await database.close()
      await shop.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The samples from a place in the output on, with the last one before it. */
function samplesIn(output: string, from: number): Sample[] {
  const begin = Math.max(0, output.lastIndexOf('\nprobe ', from))
  return [...output.slice(begin).matchAll(/^probe (.*)$/gm)].map(([, json = '']) =>
    JSON.parse(json),
  )
}

function summary([first, ...samples]: readonly Sample[]): Noticed {
  const largest = (of: (sample: Sample) => number) =>
    samples.reduce((most, sample) => Math.max(most, of(sample)), 0)
  const before = first?.rss ?? 0
  // The most since the start was in this time if it has risen.
  const isRisen = (samples.at(-1)?.most ?? 0) > (first?.most ?? 0)
  const most = Math.max(
    before,
    isRisen ? largest((each) => each.most) : largest((each) => each.rss),
  )
  return {
    before: Math.round(before / MEGABYTE),
    most: Math.round(most / MEGABYTE),
    grown: Math.round((most - before) / MEGABYTE),
    stoodStill: largest((each) => each.stoodStill),
    ownWork: largest((each) => each.ownWork),
  }
}

/** How often a call is made before its 503 is the answer. */
const TRIES = 500

/** Fetches as our pages do: where the shop is busy (503), again after the time that it names. */
export async function patientFetch(url: string, init: RequestInit = {}): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url, init)
    if (answer.status !== 503 || tries === TRIES) return answer
    await answer.arrayBuffer()
    await wait(1000 * (Number(answer.headers.get('retry-after')) || 1))
  }
}

/** The size of a part of an upload, in bytes. */
const PART = 512 * 1024

/** Uploads a file and has it checked; throws the shop's refusal. */
export async function uploadFile(
  { api }: Pick<MeasuredShop, 'api'>,
  { token }: Person,
  bytes: Uint8Array,
  { purpose = 'document' as StaffUploadPurpose, name = 'file' } = {},
): Promise<uploads.Upload> {
  let upload = await api(
    uploads.openUpload,
    { body: { name, size: bytes.length, purpose } },
    { token },
  )
  const params = { id: upload.id }
  while (upload.received < bytes.length) {
    const offset = upload.received
    const body = new Uint8Array(bytes.subarray(offset, offset + PART))
    upload = await api(uploads.sendPart, { params, query: { offset }, body }, { token })
  }
  return await api(uploads.finishUpload, { params }, { token })
}
