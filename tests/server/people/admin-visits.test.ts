import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { addToCart } from '../../../src/contract/carts.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import {
  EMPTY_SEARCH_DAYS,
  EMPTY_SEARCHES_LEAST,
  OPENED_HEADER,
} from '../../../src/rules/visits.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { ranked, read } from '../../support/admin/figures.ts'
import { today } from '../../support/dates.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const admin = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })

describe('visits', () => {
  const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'
  const asks = (
    url: string,
    headers: Record<string, string> = {},
    isEmpty = false,
    method = 'GET',
  ) =>
    app.deps.visits.page(
      {
        method,
        url,
        headers: { 'user-agent': FIREFOX, ...headers },
      } as unknown as IncomingMessage,
      url.split('?')[0] ?? '',
      isEmpty,
    )
  const TYPED = { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }
  const WITHIN = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }

  test('are counted per day, without bots, staff and prefetches', async () => {
    const { sums: before } = await read(app, admin, { unit: 'day' })
    asks('/', TYPED)
    asks('/fr/shop-details/12', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' })
    asks('/shop-details/13', WITHIN)
    // Prefetched, then opened.
    const opened = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }
    asks('/shop-details/13', { ...WITHIN, 'sec-purpose': 'prefetch' })
    asks('/shop-details/13', { ...opened, [OPENED_HEADER]: '1' }, false, 'HEAD')
    asks('/shop-details/13', opened, false, 'HEAD')
    asks('/shop', { referer: 'http://shop.example/', host: 'shop.example' })
    asks('/shop', { referer: 'https://search.example/?q=karras', host: 'shop.example' })
    for (const headers of [
      { ...TYPED, 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
      { ...TYPED, 'user-agent': '' },
      { ...TYPED, 'sec-purpose': 'prefetch' },
      { ...TYPED, 'sec-fetch-dest': 'empty' },
    ]) {
      asks('/shop-details/12', headers)
    }
    asks('/office/orders', TYPED)
    asks('/my-documents?payment=abc', { 'sec-fetch-site': 'cross-site' })
    const customer = await app.aCustomer()
    const { id: documentId } = await app.aDocument({ price: dinars(3) })
    for (let times = 0; times < 2; times++) {
      await app.call(addToCart, { as: customer, query: { userId: customer.id, documentId } })
    }
    const { sums } = await read(app, admin, { unit: 'day' })
    expect(sums.visits - before.visits).toBe(3)
    expect(sums.details - before.details).toBe(3)
    expect(sums.cart - before.cart).toBe(1)
    const rows = await app.deps.database.kysely.selectFrom('visitCounts').selectAll().execute()
    expect(rows.map(({ day, step }) => `${day} ${step}`).sort()).toEqual(
      ['cart', 'details', 'visit'].map((step) => `${today(app)} ${step}`),
    )
  })

  test('record a search without results from its third time on, folded, and nothing personal', async () => {
    const search = (text: string, times = EMPTY_SEARCHES_LEAST) => {
      for (let at = 0; at < times; at++) {
        asks(`/shop?search=${encodeURIComponent(text)}`, { 'sec-fetch-dest': 'empty' }, true)
      }
    }
    search('  الفيزِياء   النّوويّة ')
    search('مرّة واحدة', EMPTY_SEARCHES_LEAST - 1)
    for (const kept of [
      'sami@mail.example',
      '98 765 432',
      '٩٨٧٦٥٤٣٢',
      '+216-98-765-432',
      'https://example.com/x',
      'www.example.com',
      'x',
      '🙂',
      'ك'.repeat(61),
    ]) {
      search(kept)
    }
    await app.deps.visits.flush()
    const stored = () => app.deps.database.kysely.selectFrom('emptySearches').selectAll().execute()
    expect(await stored()).toEqual([
      { day: today(app), words: 'الفيزيا النوويه', count: EMPTY_SEARCHES_LEAST },
    ])
    search('الفيزياء النووية', 2)
    expect((await ranked(app, admin, { unit: 'month' })).searches).toEqual([
      { words: 'الفيزيا النوويه', count: EMPTY_SEARCHES_LEAST + 2 },
    ])
    await cleanUp({ ...app.deps, now: () => app.deps.now() + EMPTY_SEARCH_DAYS * DAY_MS })
    expect(await stored()).toHaveLength(1)
    await cleanUp({ ...app.deps, now: () => app.deps.now() + EMPTY_SEARCH_DAYS * DAY_MS + DAY_MS })
    expect(await stored()).toEqual([])
  })
})
