import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright'
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn } from '../../support/browser.ts'
import { cuttableProxy } from '../../support/cut-line.ts'
import { downloadOfFirst, showTable } from '../../support/library.ts'
import { aPdf } from '../../support/pdf.ts'
import type { Person } from '../../support/people.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const savedHash = async (download: Download) => hashOf(await readFile(await download.path()))

/** The hash of the bytes that the shop sends this buyer in answer to the specification's call. */
async function sentHash({ id, token }: Person, documentId: number): Promise<string> {
  const answer = await fetch(`${shop.url}/api/documents/download/${documentId}/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return hashOf(new Uint8Array(await answer.arrayBuffer()))
}

/** A buyer of so many PDFs, each of more than 2 MB. */
async function aBuyer(title: string, count: number) {
  const documents = []
  for (let at = 1; at <= count; at += 1) {
    const file = Buffer.concat([aPdf(title, 2), Buffer.alloc(2 << 20, `%${title}${at}\n`)])
    documents.push(await shop.aDocument({ title: `${title} ${at}`, price: dinars(1), file }))
  }
  const buyer = await shop.aCustomer({ balance: dinars(count) })
  const ids = documents.map(({ id }) => id)
  await shop.buys(buyer, ids)
  return { buyer, id: ids[0] ?? 0, title: documents[0]?.title ?? '' }
}

const FACEBOOK =
  'Mozilla/5.0 (Linux; Android 14; SM-A155F; wv) AppleWebKit/537.36 Version/4.0 Chrome/126.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/470.0]'

journeys('downloads', ({ locale, viewport }, test) => {
  const states = (name: 'started' | 'outside.text' | 'outside.open' | 'outside.read') =>
    uiText(locale, `downloads:states.${name}`)
  const several = (name: 'open' | 'all' | 'zip') => uiText(locale, `downloads:several.${name}`)
  const open = async (page: Page) => {
    await page.goto(pathIn(locale, '/my-documents'))
    await page.locator('[data-purchased]').first().waitFor()
  }
  const visit = (url: string, buyer: Person) =>
    loggedIn(url, buyer, { locale, viewport, allowed: [/status of [45]/] })

  test('are the browser’s own, and go on when the page is left', async () => {
    const { buyer, id, title } = await aBuyer(`Page ${locale}`, 1)
    const line = await cuttableProxy(shop.url)
    const { page } = await visit(line.url, buyer)
    await open(page)
    await showTable(page, locale)
    const button = downloadOfFirst(page, locale)
    await refuse(page, '**/api/library/documents/*/link', 403, 'not_permitted')
    await button.click()
    await page.getByText(uiText(locale, 'library:reading.problems.download_forbidden')).waitFor()
    await page.unroute('**/api/library/documents/*/link')

    const coming = page.waitForEvent('download')
    line.holdAfter(1_000_000)
    await button.click()
    const download = await coming
    await page.getByText(states('started')).waitFor({ state: 'attached' })
    await page.goto(pathIn(locale, '/about'))
    line.mend()
    expect(download.suggestedFilename()).toBe(`${title}.pdf`)
    expect(await savedHash(download)).toBe(await sentHash(buyer, id))
  })

  test('begin at the controls of a document, with their refusals below', async () => {
    const { buyer, id } = await aBuyer(`Fiche ${locale}`, 1)
    const { page } = await visit(shop.url, buyer)
    await open(page)
    await page.goto(pathIn(locale, `/shop-details/${id}`))
    const button = page
      .getByRole('button', { name: uiText(locale, 'cart:add.download') })
      .and(page.locator(':visible'))
      .first()
    await refuse(page, '**/api/library/documents/*/link', 500, 'file_missing')
    await button.click()
    await page.getByText(uiText(locale, 'library:reading.problems.download_file_missing')).waitFor()
    await page.unroute('**/api/library/documents/*/link')
    const coming = page.waitForEvent('download')
    await button.click()
    expect(await savedHash(await coming)).toBe(await sentHash(buyer, id))
    await page.getByText(states('started')).waitFor()
  })

  test('inside another app lead to the phone’s browser and to the reader', async () => {
    const { buyer, id } = await aBuyer(`Appli ${locale}`, 1)
    const { page } = await visit(shop.url, buyer)
    await page.addInitScript((value) => {
      Object.defineProperty(navigator, 'userAgent', { value })
    }, FACEBOOK)
    await open(page)
    await showTable(page, locale)
    await downloadOfFirst(page, locale).click()
    await page.getByText(states('outside.text')).waitFor()
    const address = await page
      .getByRole('link', { name: states('outside.open') })
      .getAttribute('href')
    const [, path = ''] =
      /^intent:\/\/[^/]+(\/api\/file\/[^#]+)#Intent;.*end$/.exec(`${address}`) ?? []
    const file = await fetch(shop.url + path)
    expect(hashOf(new Uint8Array(await file.arrayBuffer()))).toBe(await sentHash(buyer, id))
    await page.getByRole('link', { name: states('outside.read') }).click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, `/read/${id}`))
  })

  test('of several documents are one ZIP, or a message that says why not', async () => {
    const { buyer } = await aBuyer(`Archive ${locale}`, 2)
    const { page } = await visit(shop.url, buyer)
    await open(page)
    await page
      .getByRole('button', { name: several('open') })
      .and(page.locator(':visible'))
      .click()
    const dialog = page.getByRole('dialog')
    const zip = dialog.getByRole('button', { name: several('zip') })
    await dialog.getByRole('checkbox', { name: several('all') }).uncheck()
    expect(await zip.isDisabled()).toBe(true)
    await dialog.getByRole('checkbox').last().check()
    await refuse(page, '**/api/library/archive', 429, 'too_many_requests')
    await zip.click()
    await dialog
      .getByRole('alert')
      .getByText(uiText(locale, 'errors:codes.too_many_requests'))
      .waitFor()
    await page.unroute('**/api/library/archive')
    const coming = page.waitForEvent('download')
    await zip.click()
    expect((await coming).suggestedFilename()).toMatch(/\.zip$/)
    // No overlay waits for a navigation that became a download.
    await dialog.waitFor({ state: 'detached' })
    expect(await page.locator('page-loader').isVisible()).toBe(false)
  })
})
