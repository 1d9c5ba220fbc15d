import { beforeAll, describe, expect, test, vi } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { FIRST_PEN } from '../../../src/rules/brand.ts'
import { FIXED_PATHS, OFFICE_PATHS } from '../../../src/rules/pages.ts'
import { atOffice, DESKTOP, newVisitor } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { button } from '../../support/scene-steps.ts'
import { shopForFile } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = shopForFile({})

const NAMES = { ar: 'منارة', fr: 'Étoile', en: 'Beacon' }
const SLOGANS = { ar: 'نور لكلّ درس', fr: 'Une lumière par leçon', en: 'A light for each lesson' }
const ACCENT = '#0a7a4b'

/**
 * Any word of the first brand, other than in the names of our scripts and in example addresses. In
 * teachers' own words the Arabic one is an exercise book.
 */
const OLD = /Karras|KARRAS|كرّاس(?! المراجعة| وأعدها)/

const SAVE = { brand: 'saveBrand', contact: 'saveContact', legal: 'saveLegal' } as const

/** Changes some facts of a group. */
async function saveFacts(group: keyof typeof SAVE, changes: object): Promise<void> {
  const { facts, groups } = await shop.call('getOfficeFacts')
  const value = JSON.stringify({ ...facts[group], ...changes })
  await shop.call(SAVE[group], `revision=${groups[group].revision}`, `value=${value}`)
}

beforeAll(async () => {
  await saveFacts('brand', {
    name: NAMES,
    slogan: SLOGANS,
    accent: ACCENT,
    credit: { name: 'Atelier', url: '' },
  })
  // The facts of the example shop say its name as well.
  await saveFacts('contact', { school: NAMES, email: 'bonjour@beacon.example' })
  await saveFacts('legal', { name: 'BEACON SARL' })
  await vi.waitFor(async () => {
    expect(await (await fetch(`${shop.url}/fr/login`)).text()).toContain('Étoile')
  }, PATIENCE)
})

/** Pages that say only that there is no such page or no answer, and pages about one thing. */
const OTHERS = [
  '/404',
  '/error',
  '/shop-details/1',
  '/teacher-details/1',
  '/look-inside/1',
  '/read/1',
]

/** The page for callers that ask for too much is made by the build, and names no shop. */
const UNNAMED = '/busy'
const NAMED = FIXED_PATHS.filter((path) => path !== UNNAMED)

// tests/server/site/brand.test.ts checks the texts of all languages.
test('every page says the new name and no word of the old one, the languages taking turns', async () => {
  for (const [at, path] of [...NAMED, ...OFFICE_PATHS, ...OTHERS, '/no-such-page'].entries()) {
    const locale = LOCALES[at % LOCALES.length] ?? 'ar'
    const html = await (await fetch(shop.url + inLanguage(locale, path))).text()
    const found = html.match(new RegExp(`.{0,60}${OLD.source}.{0,60}`, 'u'))?.[0]
    expect.soft(found, path).toBeUndefined()
    expect.soft(html.includes(NAMES[locale]), path).toBe(true)
    expect.soft(html.includes('/media/brand/0a7a4b.css'), path).toBe(true)
  }
})

describe.each(LOCALES)('in %s', (locale) => {
  test('the page for visitors who ask for too much names no shop', async () => {
    const html = await (await fetch(shop.url + inLanguage(locale, UNNAMED))).text()
    expect(html).toContain('<title>')
    expect(html).not.toMatch(OLD)
  })

  test('the manifest, its icons and the shared pictures are the new brand’s', async () => {
    const manifest = await (await fetch(`${shop.url}/${locale}.webmanifest`)).json()
    expect(manifest.name).toBe(NAMES[locale])
    expect(JSON.stringify(manifest)).not.toMatch(OLD)
    const html = await (await fetch(shop.url + inLanguage(locale, '/'))).text()
    const [, shared = ''] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? []
    const [, icon = ''] = /<link rel="icon" href="([^"]+)"/.exec(html) ?? []
    const pictures = [
      ...manifest.icons.map(({ src }: { src: string }) => src),
      new URL(shared).pathname,
      icon,
    ]
    for (const address of pictures) {
      const answer = await fetch(new URL(address.replaceAll('&amp;', '&'), shop.url))
      expect([address, answer.status]).toEqual([address, 200])
      expect(answer.headers.get('content-type')).toBe('image/png')
    }
  })
})

test('links have the new colour, the header the new name, and a logo follows at once', async () => {
  const { page } = await newVisitor(shop.url, { locale: 'fr', colorScheme: 'light', at: '/' })
  const logo = page.locator('.header__logo')
  expect((await logo.innerText()).trim()).toBe('Étoile')
  const button = page.locator('.hero .button--primary')
  const background = await button.evaluate((each) => getComputedStyle(each).backgroundColor)
  expect(background).toBe('rgb(10, 122, 75)')
  const { token } = await shop.anOfficeAdministrator()
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#f00"/></svg>'
  const uploaded = await shop.send({ token }, 'POST', '/office/admin/logos', {
    content: Buffer.from(svg).toString('base64'),
  })
  await saveFacts('brand', { logo: uploaded.body.logo })
  await vi.waitFor(async () => {
    await page.reload()
    // At once: a page from before the change has no picture to wait for.
    expect(await logo.innerHTML()).toContain(uploaded.body.logo)
  }, PATIENCE)
  const isDrawn = await logo
    .locator('img')
    .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))
  expect(isDrawn).toBe(240)
  expect(await logo.locator('img').getAttribute('alt')).toBe('Étoile')
})

// Last, since it renames the shop again.
test('an administrator renames the shop, chooses a colour and a logo, and takes the logo back', async () => {
  const admin = await shop.anOfficeAdministrator()
  const { page } = await atOffice(shop.url, admin, {
    locale: 'fr',
    viewport: DESKTOP,
    allowed: [/status of 415/],
  })
  await page.goto('/fr/office/facts#brand')
  // The link of the first page opens the group that it names.
  const form = page.locator('#brand form')
  await form.locator('[name="name.fr"]').fill('L’Étoile')
  await form.locator('[name="accent"]').fill('#FFDF6B')
  await expect.poll(() => page.getByText(uiText('fr', 'office-site:brand.derived')).count()).toBe(1)
  await form.locator('input[type=color]').fill(FIRST_PEN)
  expect(await form.locator('[name="accent"]').inputValue()).toBe(FIRST_PEN)

  const brand = async () => (await (await fetch(`${shop.url}/api/site/facts`)).json()).brand
  const { logo: earlier } = await brand()
  const choose = form.locator('input[type=file]')
  const wrong = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
  await choose.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: wrong })
  await page.getByText(uiText('fr', 'office-errors:codes.not_a_logo')).waitFor()
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><circle cx="9" cy="9" r="9"/></svg>'
  await choose.setInputFiles({
    name: 'b.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(svg),
  })
  const shown = form.locator('.brand-logo__shown img')
  await expect.poll(() => shown.getAttribute('src')).not.toBe(`/media/brand/${earlier}`)
  await form.locator('[type=submit]').click()
  await expect.poll(async () => (await brand()).name.fr, PATIENCE).toBe('L’Étoile')
  await form.locator('.save-state', { hasText: uiText('fr', 'office:form.saved') }).waitFor()
  const { logo, accent } = await brand()
  expect([await shown.getAttribute('src'), accent]).toEqual([`/media/brand/${logo}`, FIRST_PEN])

  await button(page, 'fr', 'office-site:brand.noLogo').click()
  await form.locator('[type=submit]').click()
  await expect.poll(async () => (await brand()).logo, PATIENCE).toBe('')
  expect((await brand()).name.ar).toBe(NAMES.ar)
})
