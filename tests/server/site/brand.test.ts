import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { forgotPassword } from '../../../src/contract/accounts.ts'
import { listAdministrators } from '../../../src/contract/chat.ts'
import { startSecondFactor } from '../../../src/contract/office-access.ts'
import { getWaiting } from '../../../src/contract/office-desk.ts'
import * as office from '../../../src/contract/office-facts.ts'
import {
  getOfficePage,
  listSitePages,
  saveSitePage,
} from '../../../src/contract/office-site-pages.ts'
import { restoreSiteVersion } from '../../../src/contract/office-site-versions.ts'
import * as site from '../../../src/contract/site.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { textsOf } from '../../../src/i18n/texts.ts'
import { accentAddress, iconAddress, pensOf, sharedAddress } from '../../../src/rules/brand.ts'
import { SITE_PAGES } from '../../../src/rules/site-pages.ts'
import { OPENING_STEPS } from '../../../src/rules/upkeep.ts'
import { FIRST_FACTS } from '../../../src/server/site-texts/facts.ts'
import { readTexts } from '../../../src/server/site-texts/site-texts.ts'
import { noteBackup } from '../../../src/server/waiting/waiting.ts'
import { EXAMPLE_FACTS } from '../../../src/site.ts'
import { testApp } from '../../support/app.ts'
import { PASSWORD } from '../../support/factories.ts'
import { REAL } from '../../support/office-access.ts'
import { callByCommand } from '../../support/operator.ts'
import { expectCode, expectRefused, refused } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

/** Any word of the first brand. */
const OLD = /karras(?!\.(?:test|example))|كرّاس/i

const BRAND = {
  name: { ar: 'منارة', fr: 'Étoile', en: 'Beacon' },
  slogan: { ar: 'نور لكلّ درس', fr: 'Une lumière par leçon', en: 'A light for each lesson' },
  logo: '',
  accent: '#0a7a4b',
  credit: { name: 'Atelier', url: 'https://atelier.example' },
}

const app = await sharedApp()
const admin = await app.anOfficeAdministrator()
const written = { ...BRAND, accent: ' #0A7A4B' }
await app.call(office.saveBrand, { as: admin, body: { revision: 0, value: written } })

/** Saves the brand over the current one. */
async function saveBrand(change: object) {
  const { groups } = await app.call(office.getOfficeFacts, { as: admin })
  const body = { revision: groups.brand.revision, value: { ...BRAND, ...change } }
  return app.call(office.saveBrand, { as: admin, body })
}

describe('the brand', () => {
  const brandNow = async () => (await app.call(site.getFacts, {})).brand
  const bytesOf = async (address: string) => {
    const answer = await fetch(app.url + address)
    expect(answer.status).toBe(200)
    return Buffer.from(await answer.arrayBuffer())
  }

  test('is a fact with its history, and every page is told of its change', async () => {
    expect(await brandNow()).toEqual(BRAND)
    expect(app.published).toContain('every-page')
    const subject = 'facts brand' as const
    const body = { subject, revision: 1, to: 0 }
    await app.call(restoreSiteVersion, { as: admin, body })
    expect(await brandNow()).toEqual(EXAMPLE_FACTS.brand)
    await app.call(restoreSiteVersion, { as: admin, body: { subject, revision: 2, to: 1 } })
    expect((await brandNow()).name).toEqual(BRAND.name)
  })

  test('is in every text, of the interface, of mails and of the shop’s pages', async () => {
    const texts = await readTexts(app.kysely)
    for (const locale of LOCALES) {
      expect(JSON.stringify(texts[locale])).not.toMatch(OLD)
      expect(JSON.stringify(texts[locale])).toContain(BRAND.name[locale])
      for (const name of SITE_PAGES) {
        const page = await app.call(site.getSitePage, { params: { name }, query: { locale } })
        expect(JSON.stringify(page)).not.toMatch(OLD)
      }
    }
  })

  test('is in mails: sender, subject, text and drawing', async () => {
    for (const locale of LOCALES) {
      const { email } = await app.aCustomer()
      await app.call(forgotPassword, { body: { email, locale } })
    }
    await app.runJobs()
    const mails = await app.mails()
    expect(mails).toHaveLength(3)
    const { light } = pensOf(BRAND.accent)
    for (const locale of LOCALES) {
      const said = mails.filter(({ parts }) => parts['text/plain']?.includes(BRAND.name[locale]))
      expect(said, locale).toHaveLength(1)
    }
    for (const mail of mails) {
      const { 'text/plain': text = '', 'text/html': html = '' } = mail.parts
      expect(html).toContain(`background:${light.pen}`)
      for (const part of [text, html, mail.headers.replace(/^Message-ID.*$/im, '')]) {
        expect(part).not.toMatch(OLD)
      }
    }
  })

  test('names the shop in feeds, conversations and authenticators', async () => {
    for (const [prefix, locale] of [
      ['', 'ar'],
      ['/fr', 'fr'],
      ['/en', 'en'],
    ] as const) {
      const feed = String((await app.request('GET', `${prefix}/rss.xml`)).body)
      expect(feed).toContain(`<title>${BRAND.name[locale]}</title>`)
      expect(feed).toContain(BRAND.slogan[locale])
      expect(feed).not.toMatch(OLD)
    }
    const customer = await app.aCustomer()
    const [shop] = await app.call(listAdministrators, { as: customer })
    expect(shop?.username).toBe('منارة · Étoile · Beacon')
    const { uri } = await app.call(startSecondFactor, { as: admin, body: { password: PASSWORD } })
    expect(uri).toContain('issuer=Beacon')
    // A real shop that has no name yet is called by its address.
    const fresh = await testApp({ env: REAL })
    const first = { as: await fresh.anOfficeAdministrator(), body: { password: PASSWORD } }
    const made = await fresh.call(startSecondFactor, first)
    expect(made.uri).toContain(`issuer=${new URL(fresh.deps.config.siteUrl).hostname}`)
    expect(made.uri).not.toMatch(OLD)
  })

  test('colours links in both schemes, by a style sheet that never changes', async () => {
    const { accent } = await brandNow()
    const sheet = String(await bytesOf(accentAddress(accent)))
    expect(sheet).toContain(pensOf(accent).light.pen)
    expect(sheet).toContain(pensOf(accent).dark.pen)
    expect((await app.request('GET', '/media/brand/red.css')).status).toBe(404)
  })

  test('is drawn as icons and shared pictures, with its logo once it has one', async () => {
    const draw = async () => {
      const brand = await brandNow()
      const [icon, shared] = [iconAddress(brand, '192'), sharedAddress(brand, 'home', 'fr')]
      return { brand, icon: await bytesOf(icon), shared: await bytesOf(shared) }
    }
    const before = await draw()
    expect(await sharp(before.icon).metadata()).toMatchObject({ width: 192, height: 192 })
    expect(await sharp(before.shared).metadata()).toMatchObject({ width: 1200, height: 630 })
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#ff0000"/></svg>'
    const content = Buffer.from(svg).toString('base64')
    const { logo } = await app.call(office.uploadLogo, { as: admin, body: { content } })
    await saveBrand({ logo })
    const after = await draw()
    expect(after.brand.logo).toBe(logo)
    const { dominant } = await sharp(after.icon).flatten().stats()
    expect([dominant.r > 200, dominant.g < 60]).toEqual([true, true])
    expect(after.shared.equals(before.shared)).toBe(false)
    for (const locale of LOCALES) {
      await bytesOf(sharedAddress(after.brand, 'shop', locale))
      await bytesOf(iconAddress(after.brand, 'maskable-512'))
    }
    expect((await app.request('GET', '/media/og/about-fr.png')).status).toBe(404)
  })

  test('has no marks of direction, which would turn the text beside it', async () => {
    const name = { ar: '\u202eمنارة', fr: '\u2067Étoile', en: '\u200f Beacon\u202c' }
    await saveBrand({ name, credit: { ...BRAND.credit, name: '\u202eAtelier' } })
    expect(await brandNow()).toEqual(BRAND)
    await bytesOf(iconAddress(BRAND, '192'))
  })

  test.each([
    ['value.name.fr', { name: { ...BRAND.name, fr: '' } }],
    ['value.name.ar', { name: { ...BRAND.name, ar: '{{site}}' } }],
    ['value.name.en', { name: { ...BRAND.name, en: '$t(shop:title)' } }],
    ['value.slogan.en', { slogan: { ...BRAND.slogan, en: '' } }],
    ['value.slogan.ar', { slogan: { ...BRAND.slogan, ar: 'a $t(common:x)' } }],
    ['value.slogan.fr', { slogan: { ...BRAND.slogan, fr: 'chez {{site}}' } }],
    ['value.accent', { accent: 'red' }],
    ['value.accent', { accent: '#fff;}' }],
    ['value.logo', { logo: '0123456789abcdef-10x10.svg' }],
    ['value.logo', { logo: '../secret' }],
    ['value.credit.url', { credit: { name: 'x', url: 'http://a.tn' } }],
  ])('refuses a wrong %s', async (field, wrong) => {
    const answer = await refused(saveBrand(wrong))
    expect(answer).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })
})

test('a name of any letters fits into every text', () => {
  const name = { ar: 'محلّ "$&" \\ {', fr: '$1', en: 'a\\b"c' }
  const texts = textsOf({ name, slogan: name, accent: '' })
  for (const locale of LOCALES) expect(texts[locale].brand.name).toBe(name[locale])
})

describe('a real shop', () => {
  test('begins without facts, and takes no transfer before it has an account', async () => {
    const app = await testApp({ env: REAL })
    expect(await app.call(site.getFacts, {})).toEqual({ ...FIRST_FACTS, emptyPages: ['team'] })
    expect(FIRST_FACTS.brand.credit).toEqual({ name: '', url: '' })
    const customer = await app.aCustomer()
    const body = { userId: customer.id, amount: 20, paymentMethod: 'D17' }
    const topUp = (key: string) => app.call(initiateRecharge, { as: customer, key, body })
    await expectCode(topUp('one'), 'no_account')
    const admin = await app.anOfficeAdministrator()
    const save = (value: { phone: string; holder: string }) =>
      app.call(office.saveD17, { as: admin, body: { revision: 0, value } })
    // An account is whole, or not there at all.
    const half = save({ phone: '98123456', holder: '' })
    const fields = { 'value.holder': 'required' }
    await expectRefused(half, 400, 'invalid_input', { fields })
    await save({ phone: '98123456', holder: 'Librairie' })
    expect((await topUp('two')).paymentUrl).toContain('/payment/transfer/')
  })

  test('tells administrators what is left before the first sale, until it is done', async () => {
    const app = await testApp({ env: REAL })
    const admin = await app.anOfficeAdministrator()
    const left = async () => (await app.call(getWaiting, { as: admin })).opening
    const steps = OPENING_STEPS.filter((step) => step !== 'topUps')
    expect(await left()).toEqual(steps)
    await app.call(office.saveBrand, { as: admin, body: { revision: 0, value: BRAND } })
    expect(await left()).toEqual(steps.slice(1))
    const contact = { ...FIRST_FACTS.contact, email: 'bonjour@shop.example' }
    await app.call(office.saveContact, { as: admin, body: { revision: 0, value: contact } })
    const { bank } = EXAMPLE_FACTS
    await app.call(office.saveBank, { as: admin, body: { revision: 0, value: bank } })
    // A bank account alone lets nobody top up a wallet.
    expect((await left())[0]).toBe('topUps')
    const d17 = { phone: '98123456', holder: 'Librairie' }
    await app.call(office.saveD17, { as: admin, body: { revision: 0, value: d17 } })
    const rest = ['legal', 'mail', 'pages', 'team', 'community', 'document', 'backup']
    expect(await left()).toEqual(rest)
    // Seen and left empty is done as well.
    for (const [name, group] of [
      ['saveLegal', 'legal'],
      ['saveCommunity', 'community'],
    ] as const) {
      const value = `value=${JSON.stringify(FIRST_FACTS[group])}`
      await callByCommand(app, name, 'revision=0', value)
    }
    const { page: team } = await callByCommand(app, 'getOfficePage', 'name=team')
    const empty = `page=${JSON.stringify(team)}`
    await callByCommand(app, 'saveSitePage', 'name=team', 'revision=0', empty)
    expect(await left()).toEqual(['mail', 'pages', 'document', 'backup'])
    for (const page of ['terms', 'privacy']) {
      const { page: texts, revision } = await callByCommand(app, 'getOfficePage', `name=${page}`)
      const changed = [`name=${page}`, `revision=${revision}`, `page=${JSON.stringify(texts)}`]
      await callByCommand(app, 'saveSitePage', ...changed, 'page.fr.lead=Librairie, Tunis')
    }
    await app.aDocument()
    await noteBackup(app.deps.database, new Date(app.deps.now()))
    expect(await left()).toEqual(['mail'])
  })

  test('has a team once it was written: in no menu and no sitemap before', async () => {
    const app = await testApp({ env: REAL })
    const admin = await app.anOfficeAdministrator()
    const emptyPages = async () => (await app.call(site.getFacts, {})).emptyPages
    const sitemap = async () => (await fetch(`${app.url}/sitemap-pages.xml`)).text()
    const listed = async () => {
      const pages = await app.call(listSitePages, { as: admin })
      return pages.find(({ name }) => name === 'team')
    }
    expect(await sitemap()).not.toContain('/team<')
    expect(await listed()).toMatchObject({ isEmpty: true, missing: { ar: 0, fr: 0, en: 0 } })
    const params = { name: 'team' as const }
    const { page } = await app.call(getOfficePage, { as: admin, params })
    const words = { title: 'من نحن', description: 'فريقنا', lead: 'نحن', text: 'نحن هنا.' }
    const save = (texts: object, revision: number) =>
      app.call(saveSitePage, { as: admin, params, body: { revision, page: { ...page, ...texts } } })
    app.published.length = 0
    await save({ ar: words }, 0)
    // Every page has the menu in which it appears.
    expect(app.published).toContain('every-page')
    expect(await emptyPages()).toBeUndefined()
    expect(await sitemap()).toContain('/team<')
    await save({}, 1)
    expect(await emptyPages()).toEqual(['team'])
  })

  test('with a mail server has nothing left of it; a private one is told nothing', async () => {
    const app = await testApp({ env: { ...REAL, SMTP_URL: 'smtp://127.0.0.1:1' } })
    const admin = await app.anOfficeAdministrator()
    expect((await app.call(getWaiting, { as: admin })).opening).not.toContain('mail')
    const open = await testApp()
    const other = await open.anOfficeAdministrator()
    expect((await open.call(getWaiting, { as: other })).opening).toEqual([])
  })
})
