import type { Page } from 'playwright'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { SAMPLE_PICTURE_MAX_BYTES, STRIP_WIDTH } from '../../../src/rules/reading.ts'
import { newVisitor, PHONE } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { button, getSampleScript } from '../../support/scene-steps.ts'
import { PERSONAS, sharedShop } from '../../support/stage.ts'

const shop = sharedShop()

/** Documents of the demo shop, one in each language, with their second page as the sample. */
const LOOKED_INTO = { ar: 1, fr: 7 } as const
const WRITTEN = {
  ar: 'إذا تساوى المقامان فأكبر الكسرين ما كان بسطه أكبر، وإذا تساوى البسطان',
  fr: 'Résoudre dans l’ensemble des réels : x² − 5x + 4 = 0',
} as const

beforeAll(async () => {
  const keyOf = async (id: number) => {
    const answer = await fetch(`${shop.url}/api/documents/${id}/sample`)
    return answer.ok ? (await answer.json()).key : null
  }
  for (const id of Object.values(LOOKED_INTO)) {
    await vi.waitFor(async () => expect(await keyOf(id)).not.toBeNull(), PATIENCE)
  }
})

/** Opens a document’s page, with the link to its sample. */
async function openDetails(page: Page, path: string): Promise<void> {
  // The page may have been rendered before its sample was extracted.
  const html = async () => (await fetch(shop.url + path)).text()
  await expect.poll(html, PATIENCE).toContain('data-look-inside')
  await page.goto(path)
}

/** The link to the sample, below the strip of its pages. */
const opener = (page: Page) => page.locator('.strip > a')
const sheets = (page: Page) => page.locator('.strip__pages a')

const isDrawn = (picture: HTMLImageElement) => picture.decode().then(() => picture.naturalWidth > 0)

// The keys follow the direction, and a desktop shows both pages.
describe.each(PERSONAS)('looking inside a document $who', ({ locale, viewport }) => {
  const id = LOOKED_INTO[locale]
  const details = inLanguage(locale, `/shop-details/${id}`)

  test('opens over its page, turns pages by keys, and restores the focus', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport })
    const weights: Promise<number>[] = []
    page.on('response', (answer) => {
      if (!answer.url().includes('/media/samples/')) return
      weights.push(answer.body().then((body) => body.length))
    })
    await openDetails(page, details)
    // Nothing of it is loaded before it is opened; then all at once.
    expect(weights).toEqual([])
    await getSampleScript(page)
    const requested = Promise.all([
      page.waitForRequest(/\/media\/samples\//),
      page.waitForRequest(/\/look-inside\/\d+\/pages$/),
    ])
    await page.route(/sample-pages[^/]*\.js$/, async (route) => {
      await requested
      await route.continue()
    })
    await opener(page).click()
    const dialog = page.locator('.look-dialog')
    await dialog.locator('.look').waitFor()
    expect(await dialog.locator('img').first().evaluate(isDrawn)).toBe(true)
    expect(weights.length).toBeGreaterThan(0)
    for (const bytes of await Promise.all(weights))
      expect(bytes).toBeLessThanOrEqual(SAMPLE_PICTURE_MAX_BYTES[900])

    const forward = locale === 'ar' ? 'ArrowLeft' : 'ArrowRight'
    const next = button(dialog, locale, 'samples:dialog.next')
    const isAtEnd = () => next.isDisabled()
    if (viewport === PHONE) {
      expect(await isAtEnd()).toBe(false)
      await page.keyboard.press(forward)
      await expect.poll(isAtEnd).toBe(true)
      await page.keyboard.press('Home')
      await expect.poll(isAtEnd).toBe(false)
    } else await expect.poll(isAtEnd).toBe(true)
    const written = dialog.locator('.look__text')
    await written.locator('summary').click()
    expect(await written.locator('> div').textContent()).toContain(WRITTEN[locale])

    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const focused = () => opener(page).evaluate((link) => link === document.activeElement)
    await expect.poll(focused).toBe(true)
  })

  test('works without script, on a page of its own with the text of each page', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, javaScriptEnabled: false })
    await openDetails(page, details)
    // Before the file's details; also in the structured data.
    const isBefore = () =>
      opener(page).evaluate((link) => {
        const facts = document.querySelector('.facts-list') as Element
        return (link.compareDocumentPosition(facts) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
      })
    expect(await isBefore()).toBe(true)
    const written = await page.locator('script[type="application/ld+json"]').allTextContents()
    const product = written.map((text) => JSON.parse(text)).find(({ offers }) => offers)
    expect(product.subjectOf).toMatchObject({ '@type': 'WebPage', isAccessibleForFree: true })
    expect(product.subjectOf.url).toMatch(
      new RegExp(`${inLanguage(locale, `/look-inside/${id}`)}$`),
    )
    await opener(page).click()
    await page.waitForURL(`**${inLanguage(locale, `/look-inside/${id}`)}`)
    const picture = page.locator('.look__sheet img')
    expect(await picture.count()).toBe(1)
    expect(Number(await picture.getAttribute('height'))).toBeGreaterThan(0)
    expect(await page.locator('.look__text > div').textContent()).toContain(WRITTEN[locale])
    const back = page.locator('[data-back]')
    expect(await back.getAttribute('href')).toBe(details)
    expect(await page.locator('meta[name=robots]').count()).toBe(0)
  })
})

/** A document of the demo shop whose sample has its second and third page. */
const TWO_PAGES = 69

/** Opens its page, and notes which small pictures it requests, with their bytes. */
async function openStrip(page: Page, path = `/shop-details/${TWO_PAGES}`) {
  const small: Promise<number>[] = []
  page.on('response', (answer) => {
    if (answer.url().endsWith(`-${STRIP_WIDTH}.webp`)) {
      small.push(answer.body().then((body) => body.length))
    }
  })
  await openDetails(page, path)
  await page.waitForLoadState('networkidle')
  return small
}

async function scrollToStrip(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo(0, 40))
  await sheets(page).first().scrollIntoViewIfNeeded()
}

test.each(PERSONAS)(
  'the pages of a sample are seen small, once somebody scrolls $who',
  async ({ locale, viewport }) => {
    const { page } = await newVisitor(shop.url, { locale, viewport })
    const small = await openStrip(page, inLanguage(locale, `/shop-details/${TWO_PAGES}`))
    expect(small).toEqual([])
    expect(await sheets(page).allInnerTexts()).toEqual(['2', '3'])
    await scrollToStrip(page)
    await expect.poll(() => page.locator('.strip img').count()).toBe(2)
    expect(await page.locator('.strip img').first().evaluate(isDrawn)).toBe(true)
    expect(small).toHaveLength(2)
    for (const bytes of await Promise.all(small)) {
      expect(bytes).toBeLessThanOrEqual(SAMPLE_PICTURE_MAX_BYTES[STRIP_WIDTH])
    }

    // Each opens the sample at its page, of the pages that are offered.
    await sheets(page).nth(1).click()
    const dialog = page.locator('.look-dialog')
    await expect.poll(() => dialog.locator('output').innerText()).toBe('2 / 2')
    await page.keyboard.press('Escape')
    await expect
      .poll(() =>
        sheets(page)
          .nth(1)
          .evaluate((link) => link === document.activeElement),
      )
      .toBe(true)
  },
)

test('to save data, the pages of a sample stay sheets with their numbers', async () => {
  const { page } = await newVisitor(shop.url)
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  const small = await openStrip(page)
  await scrollToStrip(page)
  await page.mouse.wheel(0, 60)
  await page.waitForLoadState('networkidle')
  expect(small).toEqual([])
  expect(await sheets(page).first().innerText()).toBe('2')
})

test('a sample opens at once, before anything of it has come, and can be left', async () => {
  const { page } = await newVisitor(shop.url)
  await openDetails(page, `/shop-details/${TWO_PAGES}`)
  await getSampleScript(page)
  await page.route(/sample-pages|look-later|\/look-inside\/|\/media\//, () => undefined)
  await opener(page).click()
  const dialog = page.locator('.look-dialog')
  await dialog.locator('.skeleton').waitFor()
  const box = await dialog.boundingBox()
  expect(box?.height).toBeGreaterThan(700)
  await button(dialog, 'ar', 'samples:dialog.close').click()
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(() => opener(page).evaluate((link) => link === document.activeElement))
    .toBe(true)
})

test('a document without a sample has no such page', async () => {
  const unpublished = await shop.aDocument({ title: 'Retiré', isPublished: false })
  for (const path of [
    '/look-inside/99999',
    '/look-inside/abc',
    '/look-inside/1/pages/2',
    `/look-inside/${unpublished.id}`,
    `/look-inside/${unpublished.id}/pages`,
  ]) {
    expect({ path, status: (await fetch(shop.url + path)).status }).toEqual({ path, status: 404 })
  }
  const sitemap = await (await fetch(`${shop.url}/sitemap.xml`)).text()
  expect(sitemap).toContain('/sitemap-samples-1.xml')
  expect(await (await fetch(`${shop.url}/sitemap-samples-1.xml`)).text()).toContain(
    '/look-inside/1<',
  )
})
