import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { aPair, sendMessage, storedMessages } from '../../support/chat-page.ts'
import { lostEllipses } from '../../support/ellipsis.ts'
import {
  click,
  ensureFirefox,
  type FirefoxVisitor,
  openFirefox,
  seen,
  type,
} from '../../support/firefox.ts'
import { aPdf } from '../../support/pdf.ts'
import { PASSWORD } from '../../support/people.ts'
import { sharedShop } from '../../support/stage.ts'
import { type TextKey, uiText } from '../../support/texts.ts'

const executable = ensureFirefox()
const text = (key: TextKey) => uiText('ar', key)
const path = (page: Page) => new URL(page.url()).pathname

describe.skipIf(!executable)('in Firefox, in Arabic as wide as a phone', () => {
  const shop = sharedShop()
  let visitor: FirefoxVisitor
  let page: Page
  beforeAll(async () => {
    visitor = await openFirefox(executable ?? '')
    page = visitor.page
  })
  afterAll(() => visitor?.close())
  afterEach(async () => {
    await page.evaluate(() => localStorage.clear())
    expect(visitor.faults.splice(0)).toEqual([])
  })

  async function logIn(email: string): Promise<void> {
    await type(page, 'main [name=username]', email)
    await type(page, 'main [name=password]', PASSWORD)
    await click(page, 'main button', text('account:login.submit'))
  }

  test('a parent finds a document, adds it to the cart, logs in, pays, reads and downloads it', async () => {
    const title = 'مراجعة الأعداد الكسرية'
    const pdf = aPdf(title, 3)
    const document = await shop.aDocument({ title, price: dinars(8.5), file: pdf })
    const parent = await shop.aCustomer({ balance: dinars(20) })

    await page.goto(`${shop.url}/`)
    await type(page, '[role=combobox]', 'الكسريه الاعداد')
    await page.keyboard.press('Enter')
    await click(page, 'main a', title)
    await seen(page, 'h1', title)
    await expect.poll(() => path(page)).toBe(`/shop-details/${document.id}`)

    await click(page, 'main .add-to-cart button', text('cart:add.add'))
    await click(page, 'dialog button', text('cart:overlays.anonymous.continue'))
    await click(page, 'dialog button', text('cart:overlays.walletIntro.ok'))
    await seen(page, 'visitor-text[of=cart]', '1')

    await page.goto(`${shop.url}/checkout`)
    await seen(page, 'main', title)
    await click(page, 'main a', text('checkout:login.login'))
    await logIn(parent.email)
    await click(page, '#payment label', text('common:methods.wallet'))
    await click(page, '#payment button.button--primary:enabled')
    await click(page, 'dialog button', text('checkout:confirm.yes'))
    await expect.poll(() => path(page)).toBe('/my-documents')
    await seen(page, 'main', text('library:page.purchased'))
    expect(await shop.balanceOf(parent)).toBe(dinars(11.5))

    await click(page, 'main button', text('library:page.views.table'))
    await click(page, '[data-purchased] button', text('library:page.preview'))
    const frame = await (await page.waitForSelector('dialog iframe'))?.contentFrame()
    const firstPage = await frame?.waitForSelector('img')
    await expect.poll(() => firstPage?.evaluate((image) => image.naturalWidth)).toBeGreaterThan(0)
    await page.keyboard.press('Escape')

    await click(page, '[data-purchased] button', text('library:page.download'))
    await expect.poll(() => readdir(visitor.downloads)).toEqual([`${title}.pdf`])
    const downloaded = await readFile(join(visitor.downloads, `${title}.pdf`))
    expect(downloaded.subarray(0, pdf.length).equals(pdf)).toBe(true)
  })

  test('a customer sends a message, and sees the answer at once', async () => {
    const { customer, administrator, room } = await aPair(shop)
    await page.goto(`${shop.url}/login?returnTo=/chat`)
    await logIn(customer.email)
    await type(page, '.composer__text:enabled', 'السلام عليكم')
    await click(page, 'main button', text('chat:page.room.send'))
    await seen(page, '.message--sent:not(.message--waiting)', 'السلام عليكم')
    expect(await storedMessages(shop, customer, room)).toEqual(['السلام عليكم'])
    await sendMessage(shop, administrator, customer, 'وعليكم السلام')
    await seen(page, '.message', 'وعليكم السلام')
  })

  test('a text against the direction of the page is cut with a sign', async () => {
    const shoot = async (clip: { x: number; y: number; width: number; height: number }) => {
      // Places on the screen are places on the page for Puppeteer.
      const top = (await page.evaluate('scrollY')) as number
      for (let last = ''; ; ) {
        const next = await page.screenshot({ clip: { ...clip, y: clip.y + top } })
        const written = Buffer.from(next).toString('base64')
        if (written === last) return next
        last = written
      }
    }
    for (const locale of ['ar', 'fr'] as const) {
      await page.goto(shop.url + pathIn(locale, '/shop'))
      expect(await lostEllipses(page, locale, shoot), locale).toEqual([])
    }
    await page.evaluate(() => {
      for (const text of document.querySelectorAll<HTMLElement>('.card__title')) {
        text.style.textOverflow = 'clip'
        text.style.display = 'block'
        text.style.maxBlockSize = '3em'
      }
    })
    expect((await lostEllipses(page, 'fr', shoot)).join(), 'the check').toContain('card__title')
  })

  test('a changed price is on the page of the next visit, and never the old one first', async () => {
    const { id } = await shop.aDocument({ title: 'سعر يتغيّر', price: dinars(7.31) })
    const address = `${shop.url}/shop-details/${id}`
    // What is on the page before any of its scripts has run.
    await page.evaluateOnNewDocument(() => {
      document.addEventListener(
        'readystatechange',
        () => Object.assign(window, { first: document.querySelector('main')?.textContent }),
        { once: true },
      )
    })
    const firstText = () => page.evaluate(() => (window as { first?: string }).first)
    await page.goto(address)
    let price = '7.31'
    for (const next of ['11.37', '13.39']) {
      expect(await firstText()).toContain(price)
      await page.goto(`${shop.url}/faq`)
      const change = ['change.kind=price', `change.price=${next}`]
      const preview = await shop.call('previewBulkChange', `chosen.ids=${id}`, ...change)
      await shop.call('applyBulkChange', `id=${preview.id}`, 'reason=Rentrée')
      // The shop is told of it by another process; from then on it sends nothing older.
      await expect.poll(async () => (await fetch(address)).text()).toContain(next)
      await page.goto(address)
      expect(await firstText()).toContain(next)
      expect(await firstText()).not.toContain(price)
      price = next
    }
  })
})
