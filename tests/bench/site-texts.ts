/**
 * Measures how long a changed answer of the FAQ, a changed phone number and a changed interface text take
 * until they are public in three languages, in a shop with many documents that renders its pages in the
 * background: `node tests/bench/site-texts.ts [documents] [times]`. Each time is from the administrator's
 * call until the last of the three pages shows the change.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OfficeFacts } from '../../src/contract/office-facts.ts'
import type { InterfaceText } from '../../src/contract/office-interface-texts.ts'
import type { OfficePage } from '../../src/contract/office-site-pages.ts'
import { LOCALES } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { people, withOfficeToken } from '../support/people.ts'
import { percentile } from '../support/quantiles.ts'
import { spawnShop } from '../support/shop-process.ts'
import { makeCatalogue } from './make-catalogue.ts'
import { ROOT, withBackend } from './support/shops.ts'

const count = Number(process.argv[2] ?? 100_000)
const times = Number(process.argv[3] ?? 20)
const dataDir = await mkdtemp(join(tmpdir(), 'karras-site-texts-'))
const env = { DATA_DIR: dataDir, DEMO: '0', CHAT_MAIL: '0' }
/** A school, whose visitors share one address. */
const SCHOOL = { 'x-forwarded-for': '203.0.113.7' }
const SCHOOL_VISITORS = 60

const token = await withBackend(ROOT, dataDir, async ({ deps }) => {
  await makeCatalogue(deps.database.kysely, dataDir, { count })
  const admin = await people({ ...deps, firstNumber: 900_000 })('ADMIN', {})
  return (await withOfficeToken(deps, admin)).token
})
const shop = await spawnShop(env)
try {
  const faq = LOCALES.map((locale) => pathIn(locale, '/faq'))
  const homes = LOCALES.map((locale) => pathIn(locale, '/'))
  await untilAllContain([...faq, ...homes], '<html')
  const rows = {
    'answer of the FAQ': await measured(faq, changeAnswer),
    'phone, on the home pages': await measured(homes, changePhone),
    'text of the interface, on the FAQ': await measured(faq, changeText),
  }
  console.table(rows)
  console.log(JSON.stringify({ documents: count, times, school: await visitFromSchool() }))
} finally {
  await shop.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function call<Result>(method: string, path: string, body?: object): Promise<Result> {
  const response = await fetch(`${shop.url}/api/office/admin${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as Result
}

/** Prepares a change that puts `mark` on the pages; returns the call that saves it. */
type Change = (mark: string) => Promise<() => Promise<unknown>>

async function changeAnswer(mark: string) {
  const { revision, page } = await call<OfficePage>('GET', '/site-pages/faq')
  for (const locale of LOCALES) Object.assign(page.items[0]?.[locale] ?? {}, { text: mark })
  return () => call('PUT', '/site-pages/faq', { revision, page })
}

async function changePhone(mark: string) {
  const { facts, groups } = await call<OfficeFacts>('GET', '/facts')
  const value = { ...facts.contact, phones: [`71${mark.replace(/\D/g, '').slice(-6)}`] }
  return () => call('PUT', '/facts/contact', { revision: groups.contact.revision, value })
}

async function changeText(mark: string) {
  const key = 'content:faq.more'
  const current = await call<InterfaceText>('GET', `/interface-text?key=${key}`)
  return () =>
    Promise.all(
      LOCALES.map((locale) => {
        const revision = current[locale]?.revision
        return call('PUT', '/interface-text', { key, locale, revision, text: mark })
      }),
    )
}

async function measured(paths: readonly string[], change: Change) {
  const untilSaved: number[] = []
  const untilPublic: number[] = []
  for (let n = 0; n < times; n++) {
    // Six digits, so that it can end a phone number.
    const mark = String(100_000 + Math.floor(Math.random() * 900_000))
    const save = await change(`Karras ${mark}`)
    const startedAt = performance.now()
    await save()
    untilSaved.push(performance.now() - startedAt)
    const shown = change === changePhone ? `${mark.slice(0, 3)} ${mark.slice(3)}` : mark
    await untilAllContain(paths, shown)
    untilPublic.push(performance.now() - startedAt)
  }
  const at = (times: number[], share: number) => Math.round(percentile(times, share))
  return {
    'saved p50': at(untilSaved, 0.5),
    'saved p95': at(untilSaved, 0.95),
    'public p50': at(untilPublic, 0.5),
    'public p95': at(untilPublic, 0.95),
    most: at(untilPublic, 1),
  }
}

async function untilAllContain(paths: readonly string[], text: string): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      for (;;) {
        const html = await (await fetch(shop.url + path)).text()
        if (html.includes(text)) return
      }
    }),
  )
}

/** Opens many stored pages from one address right after every page has changed. */
async function visitFromSchool() {
  const paths = Array.from({ length: SCHOOL_VISITORS }, (_, n) => `/shop-details/${n + 1}`)
  // From this machine's own address, whose renderings are bounded in total alone.
  for (const path of paths) await (await fetch(shop.url + path)).text()
  const save = await changePhone('Karras 123456')
  await save()
  const startedAt = performance.now()
  const answers = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(shop.url + path, { headers: SCHOOL })
      const html = await response.text()
      return { status: response.status, isNew: html.includes('123 456') }
    }),
  )
  return {
    pages: answers.length,
    busy: answers.filter(({ status }) => status === 429).length,
    new: answers.filter(({ isNew }) => isNew).length,
    ms: Math.round(performance.now() - startedAt),
  }
}
