/**
 * How long a changed answer of the FAQ, a changed phone and a changed text of the interface take until
 * they are public in three languages, in a shop with many documents that renders their pages behind:
 * `node tests/bench/site-texts.ts [documents] [times]`. Each time is from the administrator's call to
 * the last of the three pages, fetched at once until each says it.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OfficeFacts } from '../../src/contract/office-facts.ts'
import type { InterfaceText } from '../../src/contract/office-interface-texts.ts'
import type { OfficePage } from '../../src/contract/office-site-pages.ts'
import { LOCALES } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { openBackend } from '../../src/server/backend.ts'
import { readConfig } from '../../src/server/config.ts'
import { inOffice, people } from '../support/people.ts'
import { spawnShop } from '../support/shop-process.ts'
import { makeCatalogue } from './make-catalogue.ts'

const count = Number(process.argv[2] ?? 100_000)
const times = Number(process.argv[3] ?? 20)
const dataDir = await mkdtemp(join(tmpdir(), 'karras-site-texts-'))
const env = { DATA_DIR: dataDir, DEMO: '0', CHAT_MAIL: '0' }
/** A school: all its visitors have one address. */
const SCHOOL = { 'x-forwarded-for': '203.0.113.7' }
const PAGES_OF_SCHOOL = 60

const token = await fill()
const shop = await spawnShop(env)
try {
  const faq = LOCALES.map((locale) => pathIn(locale, '/faq'))
  const homes = LOCALES.map((locale) => pathIn(locale, '/'))
  await untilAllSay([...faq, ...homes], '<html')
  const rows = {
    'answer of the FAQ': await measured(faq, changeAnswer),
    'phone, on the home pages': await measured(homes, changePhone),
    'text of the interface, on the FAQ': await measured(faq, changeText),
  }
  console.table(rows)
  console.log(JSON.stringify({ documents: count, times, school: await openSchool() }))
} finally {
  await shop.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function fill(): Promise<string> {
  const { deps, close } = await openBackend(readConfig({ ...env, PORT: '0' }), () => {})
  await makeCatalogue(deps.database.kysely, dataDir, { count })
  const admin = await inOffice(deps, await people({ ...deps, firstNumber: 900_000 })('ADMIN', {}))
  await close()
  return admin.token
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

/** Makes a change that says `mark`; resolves when the server has answered. */
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
  const now = await call<InterfaceText>('GET', `/interface-text?key=${key}`)
  return () =>
    Promise.all(
      LOCALES.map((locale) => {
        const revision = now[locale]?.revision
        return call('PUT', '/interface-text', { key, locale, revision, text: mark })
      }),
    )
}

async function measured(paths: readonly string[], change: Change) {
  const saved: number[] = []
  const all: number[] = []
  for (let n = 0; n < times; n++) {
    // Six digits, of which a phone can be made.
    const mark = String(100_000 + Math.floor(Math.random() * 900_000))
    const save = await change(`Karras ${mark}`)
    const startedAt = performance.now()
    await save()
    saved.push(performance.now() - startedAt)
    await untilAllSay(paths, change === changePhone ? `${mark.slice(0, 3)} ${mark.slice(3)}` : mark)
    all.push(performance.now() - startedAt)
  }
  const at = (list: number[], share: number) =>
    Math.round([...list].sort((a, b) => a - b)[Math.ceil(share * list.length) - 1] ?? Number.NaN)
  return {
    'saved p50': at(saved, 0.5),
    'saved p95': at(saved, 0.95),
    'public p50': at(all, 0.5),
    'public p95': at(all, 0.95),
    most: at(all, 1),
  }
}

async function untilAllSay(paths: readonly string[], words: string): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      for (;;) {
        const html = await (await fetch(shop.url + path)).text()
        if (html.includes(words)) return
      }
    }),
  )
}

/** Opens many stored pages from one address right after every page has changed. */
async function openSchool() {
  const paths = Array.from({ length: PAGES_OF_SCHOOL }, (_, n) => `/shop-details/${n + 1}`)
  // From this machine, which has no share of its own to use up.
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
