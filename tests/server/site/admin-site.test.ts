import { describe, expect, test } from 'vitest'
import type { Input } from '../../../src/contract/call.ts'
import * as facts from '../../../src/contract/office-facts.ts'
import * as texts from '../../../src/contract/office-interface-texts.ts'
import * as pages from '../../../src/contract/office-site-pages.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import * as site from '../../../src/contract/site.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { shippedTexts, TEXTS } from '../../../src/i18n/texts.ts'
import { inEachLanguage } from '../../../src/rules/languages.ts'
import { PAGE_TEXT_MAX_LENGTH, type PageTexts } from '../../../src/rules/site-pages.ts'
import { textGroupOf } from '../../../src/rules/text-groups.ts'
import { moneyMailWriters } from '../../../src/server/money/mails.ts'
import { readTexts } from '../../../src/server/site-texts/site-texts.ts'
import { EXAMPLE_FACTS } from '../../../src/site.ts'
import { callByCommand } from '../../support/operator.ts'
import { expectRefused, refused } from '../../support/refusals.ts'
import { actionsOn } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'
import { uiText } from '../../support/texts.ts'

const app = await sharedApp()
const admin = await app.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' })
const other = await app.anOfficeAdministrator({ firstName: 'Anis', lastName: 'Kasmi' })

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

type Subject = Input<typeof versions.getSiteDifferences>['query']['subject']

const differencesOf = (subject: Subject, revision: number) =>
  app.call(versions.getSiteDifferences, { as: admin, params: { revision }, query: { subject } })
const restore = (subject: Subject, revision: number, to: number, as = other) =>
  app.call(versions.restoreSiteVersion, { as, body: { subject, revision, to } })

/** Expects one of two administrators to have saved, the other to be told who; the winner's value. */
async function expectOneSaved(attempts: Promise<unknown>[], winner: () => Promise<string>) {
  const ends = await Promise.allSettled(attempts)
  const lost = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.body] : []))
  expect(lost).toMatchObject([{ error: 'done_before', done: { by: await winner() } }])
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
    const differences = await differencesOf('page faq', saved.revision)
    expect(differences.map(({ field }) => field)).toEqual(
      LOCALES.map((locale) => `items.${id}.${locale}.text`),
    )
    await restore('page faq', saved.revision, 0)
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
    await expectOneSaved([write(admin, 'One'), write(other, 'Two')], async () =>
      (await publicPage('en', 'about')).title === 'One' ? 'Hajer Mansouri' : 'Anis Kasmi',
    )
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
    const body = { locale: 'ar' as const, page: { ...page, ar: { ...page.ar, text } } }
    const params = { name: 'about' as const }
    const shown = await app.call(pages.previewSitePage, { as: admin, params, body })
    expect(JSON.stringify(shown.blocks)).not.toMatch(/<\w|"href":"(?!https:|mailto:|tel:|#|\/\w)/i)
  })

  test('a megabyte is refused before it is read', async () => {
    const body = { revision: 0, page: { ar: { text: 'x'.repeat(1 << 20) } } }
    const path = '/api/office/admin/site-pages/about'
    expect((await app.request('PUT', path, { as: admin, body })).status).toBe(413)
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

const officeFacts = () => app.call(facts.getOfficeFacts, { as: admin })

describe('facts', () => {
  test('are those of the repository, then what an administrator saves, and can be restored', async () => {
    expect(await publicFacts()).toEqual(EXAMPLE_FACTS)
    const { groups } = await officeFacts()
    expect(groups.contact).toEqual({ revision: 0, changed: null })
    const value = { ...EXAMPLE_FACTS.contact, phones: ['0021671123456', ' 98 765 432 '] }
    const saved = await app.call(facts.saveContact, { as: admin, body: { revision: 0, value } })
    const phones = ['+216 71 123 456', '+216 98 765 432']
    expect(saved.facts.contact.phones).toEqual(phones)
    expect(saved.groups.contact).toMatchObject({ revision: 1, changed: { by: 'Hajer Mansouri' } })
    expect((await publicFacts()).contact.phones).toEqual(phones)
    expect(app.published).toContain('every-page')
    // Saving the same values is no change.
    const body = { revision: 0, value: saved.facts.contact }
    const same = await app.call(facts.saveContact, { as: other, body })
    expect(same.groups.contact.revision).toBe(1)
    const subject = 'facts contact' as const
    const differences = await differencesOf(subject, 1)
    expect(differences.map(({ field }) => field)).toEqual(['phones.0', 'phones.1'])
    await restore(subject, 1, 0)
    expect(await publicFacts()).toEqual(EXAMPLE_FACTS)
    const { content } = await app.call(versions.listSiteVersions, { as: admin, query: { subject } })
    expect(content).toMatchObject([
      { revision: 2, by: 'Anis Kasmi', restores: 0 },
      { revision: 1, by: 'Hajer Mansouri', restores: null },
    ])
    expect(await actionsOn(app, subject)).toEqual([
      { actor: `user ${admin.id}`, action: 'change' },
      { actor: `user ${other.id}`, action: 'restore' },
    ])
  })

  test('tell every administrator who changed where customers send their money', async () => {
    const { groups } = await officeFacts()
    const value = { phone: '22333555', holder: 'A friend' }
    const { revision } = groups.d17
    await app.call(facts.saveD17, { as: admin, body: { revision, value } })
    await restore('facts d17', revision + 1, revision)
    const told = (await app.mails()).filter(({ headers }) => headers.includes(other.email))
    const text = told.map(({ parts }) => parts['text/plain']).join('\n')
    expect(text).toContain('Hajer Mansouri')
    expect(text).toContain('Anis Kasmi')
  })

  test('appear in payment mails from then on', async () => {
    const { groups } = await officeFacts()
    const value = { phone: '22333444', holder: 'LIBRAIRIE KARRAS' }
    await app.call(facts.saveD17, { as: admin, body: { revision: groups.d17.revision, value } })
    const buyer = await app.aCustomer()
    const body = { userId: buyer.id, amount: 20, paymentMethod: 'd17' }
    const started = await app.call(initiateRecharge, { as: buyer, key: 'k', body })
    const due = { userId: buyer.id, reference: started.paymentRef }
    const mail = await moneyMailWriters(app.deps).payment_waiting(due, TEXTS)
    const text = mail?.text ?? ''
    expect(text).toContain('+216 22 333 444')
    expect(text).toContain('LIBRAIRIE KARRAS')
  })

  test.each([
    ['phones', { phones: ['123'] }],
    ['email', { email: 'nobody' }],
    ['addresses', { addresses: [{ ...inEachLanguage(() => 'a'), ar: '' }] }],
    ['school', { school: { ...inEachLanguage(() => 'a'), ar: '<b>' } }],
    ['place', { place: { latitude: 95, longitude: 0 } }],
  ])('refuse a wrong %s', async (field, wrong) => {
    const value = { ...EXAMPLE_FACTS.contact, ...wrong }
    const saved = app.call(facts.saveContact, { as: admin, body: { revision: 2, value } })
    const answer = await refused(saved)
    expect(answer).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(Object.keys(answer.fields ?? {})[0]).toContain(`value.${field}`)
  })

  test.each(['http://a.tn', 'javascript:alert(1)', 'https://u:p@a.tn', 'https://a.tn/"', 'a.tn'])(
    'refuse the link %s, and a bank account with wrong check digits',
    async (url) => {
      const value = { followers: 1, links: [{ name: 'x', url }] }
      const link = app.call(facts.saveCommunity, { as: admin, body: { revision: 0, value } })
      expect(await refused(link)).toMatchObject({ status: 400 })
      const bank = { ...EXAMPLE_FACTS.bank, rib: '00 000 0000000000000 96' }
      const saved = app.call(facts.saveBank, { as: admin, body: { revision: 0, value: bank } })
      expect(await refused(saved)).toMatchObject({ fields: { 'value.rib': 'pattern' } })
    },
  )
})

describe('texts of the interface', () => {
  const KEY = 'cart:add.add'
  const GREETING = 'mail:hello'
  const publicTexts = async () => (await app.call(site.getInterfaceTexts, {})).texts
  const find = (query: object) => app.call(texts.listInterfaceTexts, { as: admin, query })
  const read = (key: string) => app.call(texts.getInterfaceText, { as: admin, query: { key } })
  const save = (key: string, text: string, more: object = {}, as = admin) =>
    app.call(texts.saveInterfaceText, {
      as,
      body: { key, locale: 'fr', revision: 0, text, ...more },
    })
  const keysOf = async (query: object) => (await find(query)).content.map(({ key }) => key)

  test('are found by their words in any language, folded, and by their keys', async () => {
    const [key] = [...shippedTexts('ar').keys()].filter((each) => each.startsWith('shop:'))
    const [arabic = '', french = ''] = (['ar', 'fr'] as const).map((each) =>
      shippedTexts(each).get(key ?? ''),
    )
    for (const q of [key, arabic, french?.toUpperCase()]) {
      expect(await keysOf({ q, size: 100 })).toContain(key)
    }
    expect((await find({})).totalElements).toBeGreaterThan(500)
    expect(await keysOf({ q: 'xyzxyz' })).toEqual([])
    expect((await keysOf({ q: 'office' })).filter((key) => key.startsWith('office'))).toEqual([])
  })

  test('are counted by the page on which they are seen, each on one, and read page by page', async () => {
    const groups = (query: object) => app.call(texts.listTextGroups, { as: admin, query })
    const all = await groups({})
    const { totalElements } = await find({})
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(totalElements)
    const shop = await find({ group: 'shop', size: 100 })
    expect(all).toContainEqual({ group: 'shop', count: shop.totalElements, own: 0 })
    expect(shop.content.every(({ key }) => /^(?:shop|search|programme):/.test(key))).toBe(true)
    expect(await groups({ q: GREETING })).toEqual([{ group: 'messages', count: 1, own: 0 }])
    expect(await groups({ q: 'xyzxyz' })).toEqual([])
    // Every file with texts that can be replaced is in a group, so that none hides among the others.
    const files = new Set([...shippedTexts('ar').keys()].map((key) => key.split(':')[0] ?? ''))
    for (const file of files) expect(textGroupOf(`${file}:x`), file).toBeDefined()
  })

  test('an override is public at once, in mails as well, and can be removed', async () => {
    const before = app.published.length
    const saved = await save(GREETING, 'Cher {{name}},')
    expect(saved.fr).toMatchObject({
      shipped: uiText('fr', GREETING),
      own: 'Cher {{name}},',
      revision: 1,
      changed: { by: 'Hajer Mansouri' },
    })
    expect(saved.ar).toMatchObject({ own: null, revision: 0 })
    expect((await publicTexts()).fr).toEqual({ [GREETING]: 'Cher {{name}},' })
    expect(app.published.slice(before)).toContain('every-page')
    expect((await readTexts(app.kysely)).fr.mail.hello).toBe('Cher {{name}},')
    expect(await keysOf({ state: 'own' })).toEqual([GREETING])
    expect(await keysOf({ q: 'CHÈR name', size: 100 })).toContain(GREETING)
    const subject = `text fr ${GREETING}` as const
    const [changed] = await differencesOf(subject, 1)
    expect(changed?.parts.filter(({ kind }) => kind === 'added')[0]?.text).toContain('Cher')
    await restore(subject, 1, 0)
    expect((await publicTexts()).fr).toEqual({})
    expect((await readTexts(app.kysely)).fr.mail.hello).toBe(uiText('fr', GREETING))
    expect((await read(GREETING)).fr).toMatchObject({ own: null, revision: 2 })
    expect(await actionsOn(app, subject)).toEqual([
      { actor: `user ${admin.id}`, action: 'change' },
      { actor: `user ${other.id}`, action: 'restore' },
    ])
  })

  test('a text message must be one, with its longest values', async () => {
    const long = `Code {{code}}, {{minutes}} min. ${'x'.repeat(160 - 24)}`
    const refused = { status: 400, fields: { text: 'maxLength' } }
    const saving = (text: string) =>
      app.request('PUT', '/api/office/admin/interface-text', {
        as: admin,
        body: { key: 'sms:code', locale: 'fr', revision: 0, text },
      })
    expect((await saving(long)).body).toMatchObject(refused)
    expect((await saving(`Code {{code}}, {{minutes}} min. ${'ç'.repeat(60)}`)).body).toMatchObject(
      refused,
    )
    expect((await saving('Code {{code}}, {{minutes}} min.')).status).toBe(200)
  })

  test('the shipped text itself is not an override', async () => {
    const { fr } = await read(GREETING)
    const revision = fr?.revision ?? 0
    await save(GREETING, 'Salut {{name}},', { revision })
    await save(GREETING, uiText('fr', GREETING), { revision: revision + 1 })
    expect((await read(GREETING)).fr).toMatchObject({ own: null, revision: revision + 2 })
  })

  test.each([
    ['Bonjour,', 'placeholder'],
    ['Bonjour {{nom}},', 'placeholder'],
    ['Bonjour {{name}} {{name, upper}},', 'placeholder'],
    ['Bonjour {{name}} {{', 'placeholder'],
    ['<b>Bonjour</b> {{name}}', 'html'],
    ['$t(common:skip) {{name}}', 'invalid'],
    [`{{name}} ${'x'.repeat(200)}`, 'maxLength'],
    ['  ', 'required'],
  ])('%j is refused', async (text, why) => {
    const fields = { text: why }
    await expectRefused(save(GREETING, text), 400, 'invalid_input', { fields })
  })

  test.each([
    'office:menu.home',
    'busy:title',
    'own-rating:title',
    'shop:nothing',
    '__proto__',
    'shop:toString',
  ])('%s is not offered: a change would never be shown', async (key) => {
    await expectRefused(save(key, 'x'), 404)
    await expectRefused(read(key), 404)
  })

  test('two administrators at once: one saves, the other is told who was first', async () => {
    const attempts = [save(KEY, 'Prendre'), save(KEY, 'Choisir', {}, other)]
    await expectOneSaved(attempts, async () =>
      (await read(KEY)).fr?.own === 'Prendre' ? 'Hajer Mansouri' : 'Anis Kasmi',
    )
  })

  test('an override that is invalid since an update is reported, and not shown to buyers', async () => {
    const version = {
      subject: 'text en mail:hello',
      revision: 1,
      value: JSON.stringify('Hello {{who}},'),
      restores: null,
      actor: `user ${admin.id}`,
      madeAt: new Date(app.deps.now()),
    }
    const gone = { ...version, subject: 'text en mail:gone' }
    await app.kysely.insertInto('siteVersions').values([version, gone]).execute()
    expect((await publicTexts()).en).toEqual({})
    const { content } = await find({ state: 'ignored' })
    expect(content.map(({ key }) => key)).toEqual([GREETING, 'mail:gone'])
    expect(content[0]?.en).toMatchObject({ own: 'Hello {{who}},', isIgnored: true })
    await expectRefused(restore('text en mail:hello', 1, 1), 400)
    await restore('text en mail:gone', 1, 0)
    expect((await find({ state: 'ignored' })).totalElements).toBe(1)
  })
})
