// @at-landing: it waits for files that cost their whole allowance of processor time.

// @one-database: what strangers' files do to the shop's own process depends on no database.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { requestFor } from '../../../src/client/api.ts'
import type { AnyCall } from '../../../src/contract/call.ts'
import { downloadDocument } from '../../../src/contract/library.ts'
import {
  createOwnDocument,
  previewOwnFile,
  setDocumentFile,
} from '../../../src/contract/office-documents.ts'
import { findInDocument, openReading } from '../../../src/contract/reading.ts'
import { cancelUpload } from '../../../src/contract/uploads.ts'
import { PAGE_WIDTH } from '../../../src/rules/reading.ts'
import { aBuyerOf, buyersIn } from '../../chaos/buyers.ts'
import { hamzas, hugeObjects, nestedForms } from '../../chaos/heavy-files.ts'
import {
  type MeasuredShop,
  openMeasuredShop,
  patientFetch,
  uploadFile,
} from '../../chaos/measured-shop.ts'
import { sendStrangeFiles } from '../../chaos/strange-files.ts'
import { send } from '../../chaos/visitors.ts'
import { amount } from '../../support/amount.ts'
import { aDatabase } from '../../support/database.ts'
import { aLargePdf } from '../../support/large-pdf.ts'
import { aPdf } from '../../support/pdf.ts'
import { shapedPdf, shapes } from '../../support/shaped-pdf.ts'

/** How far the shop's own process may grow, in megabytes. */
const GROWTH = 100

const STRANGE = amount('STRANGE_FILES', { usual: 80, long: 1500 })
const GOOD = amount('GOOD_FILES', { usual: 8, long: 40 })
const SEED = Number(process.env.CHAOS_SEED ?? 1)

async function aShop(): Promise<MeasuredShop> {
  const { url } = await aDatabase()
  const shop = await openMeasuredShop({ databaseUrl: url })
  onTestFinished(() => shop.close())
  return shop
}

const isUp = ({ process: { process } }: MeasuredShop) =>
  process.exitCode === null && process.signalCode === null

async function timed<Answer extends { status: number }>(work: () => Promise<Answer>) {
  const startedAt = performance.now()
  const { status } = await work()
  return { status, ms: performance.now() - startedAt }
}

/** Fetches with a person's token, and waits where the shop is busy. */
const asker =
  (shop: MeasuredShop, { token }: { token: string }) =>
  (call: AnyCall, params: object, query = {}) => {
    const { path, headers } = requestFor(call, { params, query }, { token })
    return patientFetch(`${shop.url}/api${path}`, { headers })
  }

/** A small draft of 12 pages that, from the second on, draw forms that draw forms; returns the path of each page. */
async function heavyDraft(shop: MeasuredShop) {
  const teacher = await shop.anOfficeTeacher()
  const { id: uploadId } = await uploadFile(shop, teacher, nestedForms(12))
  const { token } = teacher
  const { id } = await shop.api(createOwnDocument, {}, { token, idempotencyKey: randomUUID() })
  await shop.api(setDocumentFile, { params: { id }, body: { uploadId, note: '' } }, { token })
  const path = await (await asker(shop, teacher)(previewOwnFile, { id })).text()
  return (page: number) => `/api${path}/${page}.webp`
}

test('a draft that nobody can draw keeps no one waiting, and is not drawn twice', async () => {
  const shop = await aShop()
  const errands = Object.values(await buyersIn(shop, 1))
  const pageOf = await heavyDraft(shop)
  const agent = new Agent({ keepAlive: true })
  const over = new AbortController()
  onTestFinished(() => {
    agent.destroy()
    over.abort()
  })
  const sendAs = (url: string, call = {}) => send(agent, url, call)
  const look = (page: string) => async () => {
    const answer = await patientFetch(shop.url + page, { signal: over.signal })
    await answer.arrayBuffer()
    return answer
  }

  const page = pageOf(2)
  let isDrawn = false
  const drawing = timed(look(page)).finally(() => {
    isDrawn = true
  })
  // They wait behind the first one, or are refused meanwhile.
  for (let more = 3; more < 12; more++) look(pageOf(more))().catch(() => {})
  const waits: number[] = []
  for (let step = 0; step < 40 && !isDrawn; step++) {
    for (const errand of errands) {
      const { status, ms } = await timed(() => errand({ number: 0, step, send: sendAs }))
      expect(status).toBe(200)
      waits.push(ms)
    }
  }
  const drawn = await drawing
  expect(drawn.status).toBe(422)
  // A caller that waited for the draft would have waited for as long as it took.
  expect(Math.max(...waits)).toBeLessThan(drawn.ms)

  const again = await timed(look(page))
  expect(again.status).toBe(422)
  expect(again.ms).toBeLessThan(drawn.ms / 2)
})

/** The statuses of a bought file's download, reader and searches, and the bytes that its download has more. */
async function buyAndRead(shop: MeasuredShop, file: Uint8Array) {
  const { document, buyer } = await aBuyerOf(shop, file)
  const ask = asker(shop, buyer)
  const { id } = document
  const download = await ask(downloadDocument, { id, userId: buyer.id })
  const { byteLength } = await download.arrayBuffer()
  const opened = await ask(openReading, { id })
  await opened.arrayBuffer()
  const finds: number[] = []
  for (const q of ['ئ', 'ئ'.repeat(50)]) {
    const found = await ask(findInDocument, { id }, { q })
    await found.arrayBuffer()
    finds.push(found.status)
  }
  const footer = download.ok ? byteLength - file.byteLength : 0
  return { download: download.status, reading: opened.status, finds, footer }
}

test('a bought file that unpacks to gigabytes, or costs most to search, stays outside of the shop', async () => {
  const shop = await aShop()
  const good = await buyAndRead(shop, aPdf('Good', 2))
  expect(good).toMatchObject({ download: 200, reading: 200, finds: [200, 200] })
  const noticed = shop.watch()
  expect(await buyAndRead(shop, hugeObjects(1024 ** 3))).toEqual({
    download: 200,
    reading: 422,
    finds: [422, 422],
    footer: 0,
  })
  const searched = await buyAndRead(shop, hamzas(1, 60_000))
  expect(searched).toMatchObject({ download: 200, reading: 200, finds: [200, 200] })
  expect(searched.footer).toBeGreaterThan(0)
  expect(noticed().grown).toBeLessThan(GROWTH)
  expect(isUp(shop)).toBe(true)
})

/** Uses up a processor until the process that started it is gone. */
const SPIN =
  'const { ppid } = process; while (process.ppid === ppid) for (let n = 0; n < 1e7; n++);'

/** Keeps processors busy with so many processes of normal priority. */
function keepBusy(count: number): void {
  for (let n = 0; n < count; n++) {
    const busy = spawn(process.execPath, ['-e', SPIN], { stdio: 'ignore' })
    onTestFinished(() => void busy.kill('SIGKILL'))
  }
}

/** Different good PDFs of several shapes; one of eight is a megabyte. */
function goodPdfs(count: number, seed: number): Buffer[] {
  const shaped = fc.sample(shapes, { seed, numRuns: count })
  return shaped.map((shape, at) => {
    if (at % 8 === 7) return aLargePdf(1024 ** 2, 1 + (at % 5))
    if (at % 4 === 1) return aPdf(`Good ${at}`, 1 + at, ['Chapter'])
    return shapedPdf(shape)
  })
}

type Teacher = Awaited<ReturnType<MeasuredShop['anOfficeTeacher']>>

/** Uses one file; returns what went wrong, or throws what the shop answered. */
async function sellAndRead(
  shop: MeasuredShop,
  teacher: Teacher,
  file: Buffer,
): Promise<string | null> {
  const upload = await uploadFile(shop, teacher, file)
  await shop.api(cancelUpload, { params: { id: upload.id } }, { token: teacher.token })
  const pages = upload.pageCount ?? 0
  const { document, buyer } = await aBuyerOf(shop, file, { teacherId: teacher.teacherId, pages })
  const { token } = buyer
  const params = { id: document.id }

  const opened = await shop.api(openReading, { params }, { token })
  if (opened.sizes.length !== pages) return `${opened.sizes.length} of ${pages} pages`
  for (const page of new Set([1, pages])) {
    for (const name of [`${page}-${PAGE_WIDTH}.webp`, `${page}.txt`]) {
      const answer = await patientFetch(`${shop.url}${opened.pages}${name}`)
      await answer.arrayBuffer()
      if (answer.status !== 200) return `${name} answered ${answer.status}`
    }
  }
  await shop.api(findInDocument, { params, query: { q: 'Page' } }, { token })

  const answer = await asker(shop, buyer)(downloadDocument, { ...params, userId: buyer.id })
  const sent = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) return `the download answered ${answer.status}`
  if (!sent.subarray(0, file.length).equals(file)) return 'other bytes'
  return sent.length > file.length ? null : 'no footer'
}

test(`${GOOD} good files are sold and read while every processor is busy`, async () => {
  const shop = await aShop()
  keepBusy(4)
  const files = [...goodPdfs(GOOD, SEED).entries()]
  const wronged: string[] = []
  const work = async () => {
    const teacher = await shop.anOfficeTeacher()
    for (let next = files.shift(); next; next = files.shift()) {
      const [at, file] = next
      const wrong = await sellAndRead(shop, teacher, file).catch(String)
      if (wrong) wronged.push(`${at}: ${wrong}`)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  expect(wronged).toEqual([])
  const { kysely } = shop.database
  expect(await kysely.selectFrom('fileFaults').selectAll().execute()).toEqual([])
  expect(await kysely.selectFrom('unstampedFiles').selectAll().execute()).toEqual([])
})

test(`${STRANGE} strange files (seed ${SEED}) neither break the shop nor stop it`, async () => {
  const shop = await aShop()
  await buyAndRead(shop, aPdf('Good', 2))
  const noticed = shop.watch()
  const { broken, ends } = await sendStrangeFiles(shop, { count: STRANGE, seed: SEED })
  expect(broken, JSON.stringify(ends)).toEqual([])
  // Some are good enough, and most are not.
  expect(Object.keys(ends).length).toBeGreaterThan(5)
  const { grown, ownWork } = noticed()
  expect(grown).toBeLessThan(GROWTH)
  // Of processor time, in milliseconds: much more than anything here takes.
  expect(ownWork).toBeLessThan(500)
  expect(isUp(shop)).toBe(true)
})
