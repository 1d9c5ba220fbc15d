import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { searchPages } from '../../../src/i18n/search-pages.ts'
import { translator } from '../../../src/i18n/translate.ts'
import { newVisitor, withoutCache } from '../../support/browser.ts'
import { box, options, SEARCHES } from '../../support/search-box.ts'
import { sharedShop } from '../../support/stage.ts'
import { hold } from '../../support/steps.ts'

const shop = sharedShop()
let wanted: { id: number; title: string }

beforeAll(async () => {
  wanted = await shop.aDocument({ title: 'Majolique et symétrie' })
})

/** Holds back the box's script until the returned function is called. */
async function holdScript(page: Page): Promise<() => void> {
  await withoutCache(page)
  return hold(page, /SearchBox\..*\.js$/)
}

test('Enter before the script is loaded searches, as where no script runs', async () => {
  const { page } = await newVisitor(shop.url)
  const releaseScript = await holdScript(page)
  await page.goto('/shop-details/1')
  await box(page).click()
  await box(page).pressSequentially('majolique')
  await page.keyboard.press('Enter')
  releaseScript()
  await page.waitForURL(
    ({ pathname, search }) => pathname === '/shop' && search === '?search=majolique',
  )
})

test('input before the script is loaded is not lost', async () => {
  const { page } = await newVisitor(shop.url)
  const releaseScript = await holdScript(page)
  await page.goto('/shop')
  await box(page).click()
  await box(page).pressSequentially('majolique')
  releaseScript()
  await options(page).first().waitFor()
  await expect.poll(() => box(page).inputValue()).toBe('majolique')
})

test('a failure of the shop is silent, and pages are still suggested', async () => {
  const { page } = await newVisitor(shop.url, { allowed: [/status of 500/] })
  await page.route(SEARCHES, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/shop')
  await box(page).fill('السلّة')
  await options(page).first().waitFor()
  await expect.poll(() => options(page).count()).toBe(1)
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})

test('with a phone’s keyboard open every suggestion can be reached', async () => {
  const { page } = await newVisitor(shop.url)
  for (const address of ['/', '/shop']) {
    await page.setViewportSize({ width: 360, height: 380 })
    await page.goto(address)
    await box(page).scrollIntoViewIfNeeded()
    await box(page).fill('ال')
    await options(page).nth(4).waitFor()
    const list = page.getByRole('listbox')
    const room = await list.evaluate((element) => ({
      end: element.getBoundingClientRect().bottom,
      height: element.clientHeight,
    }))
    expect(room.height).toBeGreaterThanOrEqual(90)
    expect(room.end, address).toBeLessThanOrEqual(380)
    // The last one scrolls into the list, and the page keeps its position.
    await page.keyboard.press('ArrowUp')
    const last = options(page).nth(4)
    await page.locator('[role=option][aria-selected=true]').waitFor()
    await expect
      .poll(() => last.evaluate((option) => option.getBoundingClientRect().bottom))
      .toBeLessThanOrEqual(room.end + 1)
    await expect.poll(() => list.isVisible()).toBe(true)
  }
})

test('without script the box is a form', async () => {
  const { page } = await newVisitor(shop.url, { javaScriptEnabled: false, at: '/' })
  await box(page).fill('Majolique')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/shop?search=Majolique')
  await expect.poll(() => page.getByText(wanted.title).count()).toBeGreaterThan(0)
  await box(page).fill(' Panier ')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/checkout')
})

test('only existing pages are suggested', async () => {
  const pages = searchPages('fr', translator)
  expect(pages).toHaveLength(14)
  for (const { path } of pages) {
    const { status } = await fetch(shop.url + pathIn('fr', path), { redirect: 'manual' })
    expect([path, status]).toEqual([path, 200])
  }
})

test('the box costs less than 25 KB of script on top of React', async () => {
  const { page } = await newVisitor(shop.url)
  await withoutCache(page)
  const sizes = new Map<string, number>()
  page.on('response', async (response) => {
    const file = new URL(response.url()).pathname
    if (/\/(SearchBox|search|http|use-)[^/]*\.js$/.test(file)) {
      sizes.set(file, (await response.request().sizes()).responseBodySize)
    }
  })
  await page.goto('/shop')
  await box(page).fill('majolique')
  await options(page).first().waitFor()
  expect([...sizes.keys()].join()).toContain('SearchBox')
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  expect(total).toBeGreaterThan(5_000)
  expect(total, JSON.stringify([...sizes])).toBeLessThanOrEqual(25 * 1024)
})
