import type { Page } from 'playwright'
import type { Locale } from '../../../../src/i18n/locales.ts'
import { button } from '../../scene-steps.ts'
import { uiText } from '../../texts.ts'
import { type Scene, scene } from '../scene.ts'
import { admin, answering, failing, loading, NO_ROWS, open } from './kinds.ts'

/** An unassigned conversation of the common inbox, and what opens from it. */
const conversation = (name: string, then?: (page: Page, locale: Locale) => Promise<void>): Scene =>
  scene(`office-${name}`, { as: 'administrator' }, async (page, locale) => {
    await open(page, locale, '/office/conversations', '?q=buyer1@')
    await page.locator('.chat__room').first().click()
    await page.locator('.message').first().waitFor()
    await page.waitForFunction(() => !document.querySelector('main .skeleton'))
    await then?.(page, locale)
  })

const conversations = admin('conversations', '/office/conversations')
const CONVERSATIONS = '**/api/office/admin/conversations?*'

/** The common inbox. */
export const INBOX_SCENES: readonly Scene[] = [
  conversations,
  answering(conversations, 'empty', CONVERSATIONS, NO_ROWS),
  failing(conversations, CONVERSATIONS),
  loading(conversations, '/office/conversations', CONVERSATIONS),
  conversation('conversation'),
  conversation('conversation-canned', async (page, locale) => {
    const name = uiText(locale, 'office-conversations:canned.open')
    await page.getByRole('button', { name }).click()
    await page.locator('.canned__choice').first().waitFor()
  }),
  conversation('conversation-canned-new', async (page, locale) => {
    await button(page, locale, 'office-conversations:canned.open').click()
    await page.locator('.canned__choice').first().waitFor()
    await button(page, locale, 'office-conversations:canned.add').click()
    await page.getByRole('dialog').locator('textarea').first().waitFor()
  }),
  {
    ...conversation('conversation-customer', async (page) => {
      await page.locator('.inbox__about:visible').click()
      await page.getByRole('dialog').locator('.inbox__facts').waitFor()
    }),
    only: 'phone',
  },
]
