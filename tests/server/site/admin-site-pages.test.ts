import { beforeAll, describe, expect, test } from 'vitest'
import * as pages from '../../../src/contract/office-site-pages.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import * as site from '../../../src/contract/site.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { PAGE_TEXT_MAX_LENGTH, type PageTexts } from '../../../src/rules/site-pages.ts'
import { EXAMPLE_FACTS } from '../../../src/site.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { callByCommand } from '../../support/operator.ts'
import { refused } from '../../support/refusals.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['anOfficeAdministrator']>>
let other: typeof admin

beforeAll(async () => {
  app = await testApp()
  admin = await app.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' })
  other = await app.anOfficeAdministrator({ firstName: 'Anis', lastName: 'Kasmi' })
  return app.stop
})

const publicFacts = () => app.call(site.getFacts, {})
const publicPage = (locale: (typeof LOCALES)[number], name: 'faq' | 'about' = 'faq') =>
  app.call(site.getSitePage, { params: { name }, query: { locale } })
const officePage = (name: 'faq' | 'about' = 'faq') =>
  app.call(pages.getOfficePage, { as: admin, params: { name } })

async function savePage(
  name: 'faq' | 'about',
  change: (page: PageTexts) => void,
  { as = admin, revision }: { as?: typeof admin; revision?: number } = {},
) {
  const now = await officePage(name)
  const page = structuredClone(now.page)
  change(page)
  const body = { revision: revision ?? now.revision, page }
  return await app.call(pages.saveSitePage, { as, params: { name }, body })
}

describe('pages', () => {
  test('an edited answer is public in three languages, and its history shows the changes', async () => {
    const before = await publicPage('fr')
    const { id } = (await officePage()).page.items[0] as { id: number }
    const saved = await savePage('faq', (page) => {
      const [first] = page.items
      if (!first) throw new Error('there are no questions')
      for (const locale of LOCALES) first[locale].text = `**${locale}** [x](/contact)`
    })
    for (const locale of LOCALES) {
      const [first, second] = (await publicPage(locale)).items
      expect(first?.blocks).toEqual([
        {
          kind: 'paragraph',
          children: [
            { kind: 'strong', children: [{ kind: 'text', text: locale }] },
            { kind: 'text', text: ' ' },
            { kind: 'link', href: '/contact', children: [{ kind: 'text', text: 'x' }] },
          ],
        },
      ])
      if (locale === 'fr') expect(second).toEqual(before.items[1])
    }
    expect(app.published).toContain('site-page:faq')
    const differences = await app.call(versions.getSiteDifferences, {
      as: admin,
      params: { revision: saved.revision },
      query: { subject: 'page faq' },
    })
    expect(differences.map(({ field }) => field)).toEqual(
      LOCALES.map((locale) => `items.${id}.${locale}.text`),
    )
    await app.call(versions.restoreSiteVersion, {
      as: admin,
      body: { subject: 'page faq', revision: saved.revision, to: 0 },
    })
    expect(await publicPage('fr')).toEqual(before)
  })

  test('missing translations are counted, and their readers see the Arabic text', async () => {
    await savePage('about', (page) => {
      page.fr.lead = ''
    })
    const list = await app.call(pages.listSitePages, { as: admin })
    expect(list.find(({ name }) => name === 'about')?.missing).toEqual({ ar: 0, fr: 1, en: 0 })
    expect((await publicPage('fr', 'about')).locale).toBe('ar')
    expect((await publicPage('en', 'about')).locale).toBe('en')
  })

  test('two administrators at once: one saves, the other is told who was first', async () => {
    const { revision } = await officePage('about')
    const write = (as: typeof admin, title: string) =>
      savePage('about', ({ en }) => void Object.assign(en, { title }), { as, revision })
    const both = await Promise.allSettled([write(admin, 'One'), write(other, 'Two')])
    const lost = both.filter(({ status }) => status === 'rejected')
    expect(lost).toHaveLength(1)
    const [{ reason }] = lost as [PromiseRejectedResult]
    const winner =
      (await publicPage('en', 'about')).title === 'One' ? 'Hajer Mansouri' : 'Anis Kasmi'
    expect(reason.body).toMatchObject({ error: 'done_before', done: { by: winner } })
    expect((await officePage('about')).revision).toBe(revision + 1)
  })

  test.each([
    ['<script>alert(1)</script>', 'html'],
    ['a <b onclick="x()">b</b>', 'html'],
    ['<iframe src="https://evil.test"></iframe>', 'html'],
    ['<!-- a -->', 'html'],
    ['![x](https://evil.test/a.png)', 'picture'],
    ['[x](javascript:alert(1))', 'link'],
    ['[x](data:text/html;base64,PHNjcmlwdD4=)', 'link'],
    ['[x](JaVaScRiPt:alert(1))', 'link'],
    ['[x](//evil.test)', 'link'],
    ['[x](/\\evil.test)', 'link'],
    ['<javascript:alert(1)>', 'link'],
    ['[x][y]\n\n[y]: javascript:alert(1)', 'link'],
    [`${'> '.repeat(5000)}x`, 'deep'],
    ['{{unknown}}', 'placeholder'],
    ['', 'required'],
    ['x'.repeat(PAGE_TEXT_MAX_LENGTH + 1), 'maxLength'],
  ])('the text %.40s is refused', async (text, why) => {
    const wrong = savePage('about', ({ ar }) => void Object.assign(ar, { text }))
    const { status, fields } = await refused(wrong)
    expect(status).toBe(400)
    expect(Object.values(fields ?? {})).toEqual([why])
    // Text that is not saved is sanitised where it is rendered.
    if (why === 'maxLength' || why === 'required') return
    const { page } = await officePage('about')
    const shown = await app.call(pages.previewSitePage, {
      as: admin,
      params: { name: 'about' },
      body: { locale: 'ar', page: { ...page, ar: { ...page.ar, text } } },
    })
    expect(JSON.stringify(shown.blocks)).not.toMatch(/<\w|"href":"(?!https:|mailto:|tel:|#|\/\w)/i)
  })

  test('a megabyte is refused before it is read', async () => {
    const { status } = await app.request('PUT', '/api/office/admin/site-pages/about', {
      as: admin,
      body: { revision: 0, page: { ar: { text: 'x'.repeat(1 << 20) } } },
    })
    expect(status).toBe(413)
  })
})

test('the command line reads, changes and undoes the same', async () => {
  // The same shop: a public address would make another, without the example's facts.
  const own = { ...app, env: { SITE_URL: app.url } }
  const call = (name: string, ...typed: string[]) => callByCommand(own, name, ...typed)
  const { facts, groups } = await call('getOfficeFacts')
  expect(facts.bank).toEqual(EXAMPLE_FACTS.bank)
  const bank = [`revision=${groups.bank.revision}`, `value=${JSON.stringify(facts.bank)}`]
  await expect(call('saveBank', ...bank, 'value.rib=12')).rejects.toThrow(/value\.rib/)
  await call('saveBank', ...bank, 'value.holder=KARRAS SUARL')
  expect((await publicFacts()).bank.holder).toBe('KARRAS SUARL')
  const undone = [`revision=${groups.bank.revision + 1}`, `to=${groups.bank.revision}`]
  await call('restoreSiteVersion', 'subject=facts bank', ...undone)
  expect((await publicFacts()).bank.holder).toBe(EXAMPLE_FACTS.bank.holder)
  const { page, revision } = await call('getOfficePage', 'name=about')
  const about = ['name=about', `revision=${revision}`, `page=${JSON.stringify(page)}`]
  await call('saveSitePage', ...about, 'page.en.title=Us')
  expect((await publicPage('en', 'about')).title).toBe('Us')
  const { content } = await call('listSiteVersions', 'subject=page about')
  expect(content[0]).toMatchObject({ by: 'command line' })
})
