// The programme: what its pages say in each language, and the way from home to a test of a class.
import type { Updateable } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Calendar } from '../../../src/contract/office-calendar.ts'
import { fillText } from '../../../src/i18n/format.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { daysAfter, tunisianDay } from '../../../src/rules/tunisia-time.ts'
import type { Schema } from '../../../src/server/database/schema.ts'
import { DESKTOP, newVisitor } from '../../support/browser.ts'
import { expectFitsDoubled } from '../../support/enlarged-text.ts'
import { PATIENCE } from '../../support/patience.ts'
import { PERSONAS, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()
const WEEK = 7
/** The path of a subject of which there is a test of the first trimester, with its correction. */
let subject: `/programme/${string}`
let path: `/programme/${string}`
let first: { id: number; niveauId: number; matiereId: number }

const codeOf = async (table: 'matieres' | 'niveaux', id: number) => {
  const row = shop.database.kysely.selectFrom(table).select('code').where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).code
}

const change = (id: number, facts: Updateable<Schema['documents']>) =>
  shop.database.kysely.updateTable('documents').set(facts).where('id', '=', id).execute()

beforeAll(async () => {
  const niveauId = await shop.aClass('high-school', 'سنة للاختبار')
  const matiereId = await shop.aMatiere('الخيمياء')
  const { id } = await shop.aDocument({ niveauId, matiereId })
  first = { id, niveauId, matiereId }
  await change(id, { paperKind: 'control', paperNumber: '1', trimester: 't1', correctionPage: 2 })
  const classCode = (await codeOf('niveaux', niveauId)) ?? ''
  path = `/programme/${classCode}`
  const today = tunisianDay(new Date())
  const entry = (at: number, kind: string) => ({
    ...{ id: null, kind, trimester: 't1', source: 'https://dates.example', classes: [classCode] },
    ...{ from: daysAfter(today, at), to: daysAfter(today, at + 3) },
  })
  const now = { ...entry(0, 'control'), source: `dates.example/${'a'.repeat(200)}` }
  const admin = await shop.anOfficeAdministrator()
  const calendar = '/office/admin/calendar'
  const { revision } = (await shop.send(admin, 'GET', calendar)).body as Calendar
  const entries = [now, entry(2 * WEEK, 'synthesis')]
  const saved = await shop.send(admin, 'PUT', calendar, { revision, entries })
  expect(saved.status).toBe(200)
  subject = `${path}/${await codeOf('matieres', matiereId)}`
})

const get = async (address: string) => {
  const response = await fetch(shop.url + address, { redirect: 'manual' })
  return { status: response.status, html: await response.text() }
}
const things = (html: string): Record<string, unknown>[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, text]) =>
    JSON.parse(text ?? ''),
  )

describe.each(LOCALES)('in %s', (locale) => {
  test('a subject, its trimester and its class say what there is, and are listed', async () => {
    for (const page of [subject, `${subject}/t1`, path] as const) {
      const { status, html } = await get(pathIn(locale, page))
      expect([page, status]).toEqual([page, 200])
      expect(html).not.toContain('noindex')
      for (const other of LOCALES) {
        expect(html).toMatch(
          new RegExp(`hreflang="${other}" href="[^"]*//[^/]+${inLanguage(other, page)}"`),
        )
      }
      expect(html).toMatch(new RegExp(`rel="canonical" href="[^"]*${pathIn(locale, page)}"`))
      const [crumbs, list] = ['BreadcrumbList', 'ItemList'].map((type) =>
        things(html).find((thing) => thing['@type'] === type),
      ) as { itemListElement: { item?: string; url?: string }[] }[]
      expect(crumbs?.itemListElement.at(-1)?.item).toMatch(new RegExp(`${pathIn(locale, page)}$`))
      expect(list?.itemListElement).toHaveLength(page === subject ? 2 : 1)
    }
    const { html } = await get(pathIn(locale, subject))
    const [lists] = html.match(/href="[^"]*paperNumber=1[^"]*withCorrection=true"/) ?? []
    expect(lists).toContain('paperKind=control')
  })

  test('what has no document is not listed, and asks teachers', async () => {
    for (const page of [`${subject}/t2`, '/programme/basic-7/theatre'] as const) {
      const { status, html } = await get(pathIn(locale, page))
      expect([page, status]).toEqual([page, 200])
      expect(html).toContain('<meta name="robots" content="noindex">')
      expect(html).toContain(uiText(locale, 'programme:emptyTitle'))
      expect(html).toContain(`href="${pathIn(locale, '/office/join')}"`)
    }
  })

  test('unknown codes, subjects that a class has not and other addresses have no page', async () => {
    for (const page of [
      '/programme/basic-10',
      '/programme/basic-7/philosophy',
      '/programme/basic-7/x/t1',
      `${subject}/t4`,
      `${subject}/t1/t1`,
      '/programme/Basic-7',
      '/programme/%D9%82',
    ]) {
      expect([page, (await get(inLanguage(locale, page))).status]).toEqual([page, 404])
    }
  })
})

describe('a chapter', () => {
  // No page has shown this subject before.
  let list: { niveauId: number; matiereId: number }
  let ownSubject: `/programme/${string}`
  beforeAll(async () => {
    list = { niveauId: first.niveauId, matiereId: await shop.aMatiere('علم المعادن') }
    ownSubject = `${path}/${await codeOf('matieres', list.matiereId)}`
  })
  const insert = async (nameFr: string) => {
    const { niveauId, matiereId } = list
    const values = { niveauId, matiereId, nameAr: 'محور', nameFr, aliases: [], isHidden: false }
    const rows = shop.database.kysely.insertInto('chapters').values({ ...values, position: 1 })
    return (await rows.returning('id').executeTakeFirstOrThrow()).id
  }

  test('has a page in each language, to which its document, its subject and other names of it lead', async () => {
    const chapter = await insert('Pierre philosophale')
    const empty = await insert('Élixir')
    const { id } = await shop.aDocument(list)
    await change(id, { chapterIds: [chapter] })
    const page = `${ownSubject}/c/${chapter}-pierre-philosophale` as const
    for (const locale of LOCALES) {
      const address = pathIn(locale, page)
      await expect.poll(async () => (await get(address)).html, PATIENCE).toContain('chapterId=')
      const { status, html } = await get(address)
      expect(status).toBe(200)
      expect(html).not.toContain('noindex')
      for (const other of LOCALES) {
        expect(html).toMatch(
          new RegExp(`hreflang="${other}" href="[^"]*//[^/]+${inLanguage(other, page)}"`),
        )
      }
      const crumbs = things(html).find((thing) => thing['@type'] === 'BreadcrumbList')
      expect(JSON.stringify(crumbs)).toContain(`${address}"`)
      for (const from of [ownSubject, `/shop-details/${id}`] as const) {
        const leads = (await get(pathIn(locale, from))).html.includes(`href="${address}"`)
        expect([from, leads]).toEqual([from, true])
      }
      for (const other of [
        `${ownSubject}/c/${chapter}`,
        `/programme/basic-7/theatre/c/${chapter}-x`,
      ]) {
        const answer = await fetch(shop.url + inLanguage(locale, other), { redirect: 'manual' })
        expect([answer.status, answer.headers.get('location')]).toEqual([301, address])
      }
      const nothing = await get(pathIn(locale, `${ownSubject}/c/${empty}-elixir`))
      expect(nothing.html).toContain('<meta name="robots" content="noindex">')
      expect(nothing.html).toContain(uiText(locale, 'programme:emptyTitle'))
      expect((await get(pathIn(locale, `${ownSubject}/c/999999-x`))).status).toBe(404)
    }
  })

  test('is a filter of the shop with counts, where its class and subject are chosen', async () => {
    const chapter = await insert('Sel et soufre')
    const { niveauId, matiereId } = list
    const { id } = await shop.aDocument(list)
    await change(id, { chapterIds: [chapter] })
    const shown = (query: string) => get(`/fr/shop?${query}`)
    const option = `<option value="${chapter}"`
    expect((await shown(`matiereId=${matiereId}`)).html).not.toContain(option)
    const { html } = await shown(`matiereId=${matiereId}&niveauId=${niveauId}`)
    expect(html).toMatch(new RegExp(`${option}>Sel et soufre \\(1\\)`))
    const chosen = await shown(`matiereId=${matiereId}&niveauId=${niveauId}&chapterId=${chapter}`)
    expect(
      chosen.html
        .match(/href="\/fr\/shop-details\/\d+"/g)
        ?.every((each) => each.includes(`/${id}"`)),
    ).toBe(true)
    // One of another class is no filter.
    const other = await shown(`matiereId=${matiereId}&niveauId=1&chapterId=${chapter}`)
    expect(other.html).not.toContain('Sel et soufre')
  })
})

test('a paper’s page names the next number as soon as there is one, in each trimester', async () => {
  const named = (html: string) => html.match(/href="[^"]*paperNumber=2[^"]*"/g) ?? []
  const { html } = await get(`/fr/shop-details/${first.id}`)
  expect(named(html)).toEqual([])
  const second = await shop.aDocument({ niveauId: first.niveauId, matiereId: first.matiereId })
  const third = await shop.aDocument({ niveauId: first.niveauId, matiereId: first.matiereId })
  const control = { paperKind: 'control', paperNumber: '2' } as const
  await change(second.id, { ...control, trimester: 't1' })
  const links = async () => named((await get(`/fr/shop-details/${first.id}`)).html)
  await expect.poll(links, PATIENCE).toHaveLength(1)
  await change(third.id, { ...control, trimester: 't2' })
  await expect.poll(links, PATIENCE).toHaveLength(2)
})

test.each(PERSONAS)('leads from home to the first test of a class, $who', async (person) => {
  const { locale, viewport } = person
  const { page } = await newVisitor(shop.url, { locale, viewport, at: '/' })
  const follow = (selector: string) => page.locator(`main ${selector}`).click()
  await follow(`a[href="${pathIn(locale, '/programme')}"]`)
  await follow(`a[href="${pathIn(locale, '/programme/secondary-1')}"]`)
  await follow(`a[href="${pathIn(locale, '/programme/secondary-1/mathematics')}"]`)
  await follow('a[href*="paperNumber=1"][href*="withCorrection"]')
  await page.locator(`#results a[href="${pathIn(locale, '/shop-details/7')}"]`).waitFor()
})

test.each(PERSONAS)(
  'offers the class chosen last: three taps from home to its first test with correction, $who',
  async (person) => {
    const { locale, viewport } = person
    const { page } = await newVisitor(shop.url, { locale, viewport, at: '/' })
    const own = page.locator('main own-class a')
    await expect.poll(() => own.innerText()).toBe(uiText(locale, 'programme:title'))
    const height = () => own.evaluate((link) => link.getBoundingClientRect().height)
    const before = await height()
    await page.goto(pathIn(locale, '/programme/secondary-1'))
    await page.waitForFunction(() => localStorage.getItem('own_class'))
    await page.goto(pathIn(locale, '/'))
    await expect.poll(() => own.getAttribute('href')).not.toBe(pathIn(locale, '/programme'))
    expect(await height()).toBe(before)
    const taps = [
      'own-class a',
      `a[href="${pathIn(locale, '/programme/secondary-1/mathematics')}"]`,
      'a[href*="paperNumber=1"][href*="withCorrection"]',
    ]
    for (const tap of taps) await page.locator(`main ${tap}`).click()
    await page.locator(`#results a[href="${pathIn(locale, '/shop-details/7')}"]`).waitFor()
    expect(taps).toHaveLength(3)
  },
)

test('the class of a filter is remembered, and forgotten when the visitor says so', async () => {
  const { page } = await newVisitor(shop.url, { locale: 'fr', viewport: DESKTOP, at: '/shop' })
  const niveaux = shop.database.kysely.selectFrom('niveaux').select('id')
  const { id } = await niveaux.where('code', '=', 'secondary-1').executeTakeFirstOrThrow()
  await page.locator('#filter-niveauId').selectOption(String(id))
  await page.locator('#results own-class').waitFor({ state: 'attached' })
  await page.goto('/fr/programme')
  const own = page.locator('own-class a')
  await expect.poll(() => own.getAttribute('href')).toBe('/fr/programme/secondary-1')
  await page.getByRole('button', { name: uiText('fr', 'programme:forget') }).click()
  await expect.poll(() => own.getAttribute('href')).toBe('/fr/shop')
  expect(await page.evaluate(() => localStorage.getItem('own_class'))).toBeNull()
})

test('a remembered class that the shop has no longer leads to all classes, and is forgotten', async () => {
  const { page } = await newVisitor(shop.url, { locale: 'fr', allowed: [/404/] })
  await page.goto('/fr/faq')
  await page.evaluate(() =>
    localStorage.setItem('own_class', 'ar /programme/gone X\nfr /fr/programme/gone X'),
  )
  await page.goto('/fr/programme/gone')
  await page.waitForURL((url) => url.pathname === '/fr/programme')
  expect(await page.evaluate(() => localStorage.getItem('own_class'))).toBeNull()
})

test.each(PERSONAS)(
  'counts the days to a class’s tests, and leads from those of this week to a paper, $who',
  async (person) => {
    const { locale, viewport } = person
    const { page } = await newVisitor(shop.url, { locale, viewport, at: path })
    const { days_other, days_many = days_other } = textsIn(locale, 'programme:calendar')
    const rows = page.locator('.dates > li')
    expect(await rows.nth(0).innerText()).toContain(uiText(locale, 'programme:calendar.now'))
    expect(await rows.nth(1).innerText()).toContain(fillText(days_many, { count: 2 * WEEK }))
    expect(await rows.nth(1).locator('a').getAttribute('href')).toBe('https://dates.example')
    await expectFitsDoubled(page)
    const week = page.locator('section[aria-labelledby="week"]')
    await week.locator('a[href*="paperKind=control"][href*="withCorrection"]').click()
    await page
      .locator(`#results a[href="${pathIn(locale, `/shop-details/${first.id}`)}"]`)
      .waitFor()
  },
)

test.each(PERSONAS)(
  'leads whoever comes back to the tests of this week of the class chosen last, $who',
  async ({ locale, viewport }) => {
    const { page } = await newVisitor(shop.url, { locale, viewport, at: path })
    await page.waitForFunction(() => localStorage.getItem('own_class'))
    for (const from of ['/programme', '/'] as const) {
      await page.goto(pathIn(locale, from))
      const own = page.locator('main own-class a')
      await expect.poll(() => own.innerText()).toBe(uiText(locale, 'programme:calendar.week'))
      await own.click()
      await page.waitForURL((url) => url.hash === '#week')
      const week = page.locator('section[aria-labelledby="week"]')
      await expect
        .poll(() => week.evaluate((part) => part.getBoundingClientRect().top))
        .toBeLessThan(viewport.height / 2)
    }
    // A class without tests is offered by its name.
    await page.goto(pathIn(locale, '/programme/basic-7'))
    await page.goto(pathIn(locale, '/'))
    await expect
      .poll(() => page.locator('main own-class a').getAttribute('href'))
      .toBe(pathIn(locale, '/programme/basic-7'))
  },
)

test('a class without dates ahead has no countdown', async () => {
  const { html } = await get('/fr/programme/basic-7')
  expect(html).not.toContain('class="dates"')
  expect(html).not.toContain('id="week"')
})
