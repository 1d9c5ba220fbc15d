import type { Page } from 'playwright'
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { loggedIn } from '../../support/browser.ts'
import { cuttableProxy } from '../../support/cut-line.ts'
import {
  aBuyer,
  CUT_ERRORS,
  keptCount,
  MEGABYTE,
  openTable,
  savedHash,
  sentHash,
} from '../../support/large-downloads.ts'
import { downloadOfFirst } from '../../support/library.ts'
import { PATIENCE } from '../../support/patience.ts'
import type { Person } from '../../support/people.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('downloads', ({ locale, viewport }, test) => {
  const states = (name: 'pause' | 'resume' | 'waiting' | 'download' | 'cancel' | 'noSpace') =>
    uiText(locale, `downloads:states.${name}`)
  const note = (name: 'cut' | 'paused' | 'done' | 'waiting') =>
    uiText(locale, `downloads:states.notes.${name}`)
  const several = (name: 'open' | 'all' | 'each' | 'zip') =>
    uiText(locale, `downloads:several.${name}`)
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name }).and(page.locator(':visible')).first().click()
  const say = (page: Page, words: string) =>
    page.getByText(words).and(page.locator(':visible')).first().waitFor()

  /** Waits until the bar of the first download has a value above this, and returns it. */
  async function percentAbove(page: Page, percent: number): Promise<number> {
    const bar = page.getByRole('progressbar').first()
    const value = async () => Number(await bar.getAttribute('value'))
    await expect.poll(value).toBeGreaterThan(percent)
    return value()
  }

  /** A buyer on a connection that can be cut. */
  async function onALine(buyer: Person) {
    const line = await cuttableProxy(shop.url)
    const visitor = await loggedIn(line.url, buyer, { locale, viewport, allowed: CUT_ERRORS })
    const ranges: (string | undefined)[] = []
    visitor.page.on('request', (request) => {
      if (request.url().includes('/documents/download/')) ranges.push(request.headers().range)
    })
    return { line, visitor, page: visitor.page, ranges }
  }

  test('resumes by itself after three cuts, and every byte is right', async () => {
    const { buyer, ids, documents } = await aBuyer(shop, `Coupé ${locale}`, 3 * MEGABYTE)
    const [id = 0] = ids
    const sent = await sentHash(shop, buyer, id)
    const { line, page, ranges } = await onALine(buyer)
    await openTable(page, locale)
    const button = downloadOfFirst(page, locale)
    expect(await button.textContent()).toContain(locale === 'fr' ? '3,0\u00a0Mo' : '3.0\u00a0م.ب')
    const coming = page.waitForEvent('download')
    line.holdAfter(700_000)
    await button.click()
    let percent = 0
    for (let cut = 1; cut <= 3; cut += 1) {
      percent = await percentAbove(page, percent)
      line.cut()
      await say(page, note('cut'))
      if (cut < 3) line.holdAfter(700_000)
      line.mend()
      // The next cut hits the resuming request, not the time until it is sent.
      await expect.poll(() => ranges.length, PATIENCE).toBeGreaterThan(cut)
    }
    const download = await coming
    expect(download.suggestedFilename()).toBe(`${documents[0]?.title}.pdf`)
    expect(await savedHash(download)).toBe(sent)
    expect(ranges.length).toBeGreaterThanOrEqual(4)
    expect(ranges[0]).toBeUndefined()
    for (const range of ranges.slice(1)) expect(range).toMatch(/^bytes=[1-9]\d+-$/)
    await say(page, note('done'))
    expect(await keptCount(page)).toBe(0)
  })

  test('several queue up, and each can be paused, resumed and cancelled', async () => {
    const size = 1.5 * MEGABYTE
    const { buyer, ids, documents } = await aBuyer(shop, `Suite ${locale}`, size, size, size)
    const sent = await Promise.all(ids.map((id) => sentHash(shop, buyer, id)))
    const { line, page, ranges } = await onALine(buyer)
    await page.goto(pathIn(locale, '/my-documents'))
    await press(page, several('open'))
    const dialog = page.getByRole('dialog')
    await dialog.getByText(locale === 'fr' ? '4,5\u00a0Mo' : '4.5\u00a0م.ب').waitFor()
    line.holdAfter(800_000)
    await dialog.getByRole('button', { name: several('each') }).click()
    await percentAbove(page, 0)
    line.cut()
    // The newest come first.
    const list = page.locator('.downloads')
    const row = (at: number) =>
      list.getByRole('listitem').filter({ hasText: documents[at]?.title ?? '' })
    await row(2).getByText(note('cut')).waitFor()
    await row(1).getByText(note('waiting')).waitFor()
    await row(0)
      .getByRole('button', { name: states('cancel') })
      .click()
    await row(0).waitFor({ state: 'detached' })
    await row(2)
      .getByRole('button', { name: states('pause') })
      .click()
    await row(2).getByText(note('paused')).waitFor()
    const second = page.waitForEvent('download')
    line.mend()
    await row(1).getByRole('button').first().waitFor()
    // The one that had started has failed or resumes by itself, depending on the time of the cut.
    await expect
      .poll(() => row(1).getByText(note('done')).or(row(1).getByRole('alert')).count())
      .toBe(1)
    if ((await row(1).getByRole('alert').count()) > 0)
      await row(1).getByRole('button').first().click()
    expect(await savedHash(await second)).toBe(sent[1])
    const first = page.waitForEvent('download')
    await row(2)
      .getByRole('button', { name: states('resume') })
      .click()
    expect(await savedHash(await first)).toBe(sent[2])
    expect(ranges.at(-1)).toMatch(/^bytes=[1-9]\d+-$/)
  })

  test('resumes after a reload, also on another page; log-out deletes what had arrived', async () => {
    const { buyer, ids, documents } = await aBuyer(
      shop,
      `Rechargé ${locale}`,
      2 * MEGABYTE,
      MEGABYTE,
    )
    const [id = 0] = ids
    const sent = await sentHash(shop, buyer, id)
    const { line, page, ranges } = await onALine(buyer)
    const start = async (at: number) => {
      await openTable(page, locale)
      line.holdAfter(700_000)
      const row = page.locator('tr', { hasText: documents[at]?.title ?? '' })
      await row.getByRole('button', { name: states('download') }).click()
      await percentAbove(page, 0)
      line.cut()
      await say(page, note('cut'))
      await expect.poll(() => keptCount(page)).toBeGreaterThan(0)
    }
    await start(0)
    line.mend()
    const coming = page.waitForEvent('download')
    await page.goto(pathIn(locale, '/my-documents'))
    expect(await savedHash(await coming)).toBe(sent)
    expect(ranges.at(-1)).toMatch(/^bytes=[1-9]\d+-$/)
    await start(1)
    line.mend()
    await page.evaluate(() => {
      localStorage.removeItem('token')
      dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }))
    })
    await expect.poll(() => keptCount(page)).toBe(0)
    expect(await page.evaluate(() => localStorage.getItem('has_downloads'))).toBeNull()
  })

  test('all in one ZIP, or a message that says why not', async () => {
    const { buyer } = await aBuyer(shop, `Archive ${locale}`, 1000, 2000)
    const { page } = await onALine(buyer)
    await page.goto(pathIn(locale, '/my-documents'))
    await press(page, several('open'))
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
  })

  test('replaces the button on its own page; a file that changed restarts', async () => {
    const { buyer, ids } = await aBuyer(shop, `Page ${locale}`, 1.5 * MEGABYTE)
    const [id = 0] = ids
    const sent = await sentHash(shop, buyer, id)
    const { line, page, ranges } = await onALine(buyer)
    await page.goto(pathIn(locale, '/my-documents'))
    await page.locator('[data-purchased]').first().waitFor()
    await page.goto(pathIn(locale, `/shop-details/${id}`))
    await page.route('**/documents/download/**', (route) => {
      const headers = route.request().headers()
      if (headers['if-range']) headers['if-range'] = '"another"'
      return route.continue({ headers })
    })
    line.holdAfter(800_000)
    await press(page, uiText(locale, 'cart:add.download'))
    await percentAbove(page, 0)
    line.cut()
    await say(page, note('cut'))
    const coming = page.waitForEvent('download')
    line.mend()
    expect(await savedHash(await coming)).toBe(sent)
    expect(ranges.at(-1)).toMatch(/^bytes=[1-9]\d+-$/)
    await say(page, note('done'))
  })

  test('a full phone is reported before anything is loaded', async () => {
    const { buyer } = await aBuyer(shop, `Plein ${locale}`, MEGABYTE)
    const { page } = await onALine(buyer)
    await openTable(page, locale)
    await page.evaluate(() => {
      navigator.storage.estimate = async () => ({ quota: 1000, usage: 900 })
    })
    await downloadOfFirst(page, locale).click()
    await say(page, states('noSpace'))
    expect(await keptCount(page)).toBe(0)
  })
})
