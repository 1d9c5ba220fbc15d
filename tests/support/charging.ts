import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import type { Person } from './people.ts'
import type { OpenShop } from './shop.ts'
import { uiText } from './texts.ts'

export const chargeButton = (page: Page) => page.locator('.charge-panel button[type="submit"]')
export const custom = (page: Page, locale: Locale) =>
  page.getByLabel(uiText(locale, 'charging:page.amount.custom'))
export const preset = (page: Page, amount: number) =>
  page.locator(`input[name="amount"][value="${amount}"]`)

export async function openCharging(page: Page, locale: Locale, query = ''): Promise<void> {
  await page.goto(pathIn(locale, '/charging') + query)
  await expect.poll(() => chargeButton(page).isEnabled()).toBe(true)
  await page.locator('.balance .price').waitFor()
}

/** The payments that were started by a person, in millimes. */
export async function started(shop: OpenShop, person: Person): Promise<number[]> {
  const rows = await shop.database.kysely
    .selectFrom('payments')
    .select('amount')
    .where('userId', '=', person.id)
    .orderBy('createdAt')
    .execute()
  return rows.map(({ amount }) => Number(amount))
}
