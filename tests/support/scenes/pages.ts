import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { button, dialogOf, getSampleScript, open } from '../scene-steps.ts'
import { type KeyIn, uiText } from '../texts.ts'
import { OWNED } from './samples.ts'
import { plain, type Scene, scene } from './scene.ts'

/** The document whose sample is shown: the first of five pages. */
const LOOKED_INTO = 1

/** Opens a path once the sample of `LOOKED_INTO` is extracted, soon after the shop's start. */
async function openSampled(page: Page, locale: Locale, path: string): Promise<void> {
  await open(page, locale, '/shop-details/1')
  while (
    !(await page.evaluate(
      async (id) => (await (await fetch(`/api/documents/${id}/sample`)).json()).key,
      LOOKED_INTO,
    ))
  ) {
    await delay(200)
  }
  await open(page, locale, path)
}

async function lookedInside(page: Page, locale: Locale): Promise<void> {
  await openSampled(page, locale, `/shop-details/${LOOKED_INTO}`)
  await getSampleScript(page)
  await page.locator('.strip > a').click()
  const first = page.locator('.look-dialog img').first()
  await first.waitFor()
  await first.evaluate((picture: HTMLImageElement) => picture.decode())
}

/**
 * The details page of a customer who has rated the document; `state` is the text that describes the
 * rating's state.
 */
async function withOwnRating(
  page: Page,
  locale: Locale,
  more: object,
  state: KeyIn<'own-rating'>,
): Promise<void> {
  const rating = {
    id: 900,
    user: { id: 1, name: 'أمل ب.', email: 'parent@karras.test' },
    document: { id: OWNED, title: '' },
    teacher: null,
    rating: 4,
    comment: 'شرح واضح، شكرًا.',
    createdAt: '2026-03-05T10:00:00Z',
    verified: true,
    ...more,
  }
  await page.route('**/api/ratings/document/*/user/*', (route) => route.fulfill({ json: rating }))
  await open(page, locale, `/shop-details/${OWNED}`)
  await page.locator('.rating-form textarea').focus()
  await page.getByText(uiText(locale, `own-rating:${state}`)).waitFor()
}

const ownRating = (name: string, more: object, state: KeyIn<'own-rating'>): Scene => ({
  name,
  as: 'parent',
  part: '.rating-form',
  show: (page, locale) => withOwnRating(page, locale, more, state),
})

export const PAGE_SCENES: readonly Scene[] = [
  plain('home', '/'),
  plain('home-logged-in', '/', 'parent', '.header, .hero'),
  scene('report-dialog', {}, async (page, locale) => {
    await open(page, locale, '/shop-details/1')
    await button(page, locale, 'reports:link.open').click()
    const dialog = await dialogOf(page, locale, 'report-dialog:title')
    await button(dialog, locale, 'report-dialog:send').click()
    await dialog.locator('.field__error').first().waitFor()
  }),
  plain('programme', '/programme'),
  plain('programme-class', '/programme/basic-8'),
  plain('programme-subject', '/programme/basic-8/mathematics'),
  plain('programme-empty', '/programme/basic-8/music'),
  plain('shop', '/shop'),
  plain('shop-filtered', '/shop?level=high-school&rating=4'),
  plain('shop-empty', '/shop?search=zzzzzz'),
  plain('details', '/shop-details/69'),
  scene('look-inside', { part: '.look-page' }, (page, locale) =>
    openSampled(page, locale, `/look-inside/${LOOKED_INTO}`),
  ),
  scene('share', { part: '.share' }, async (page, locale) => {
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
    await open(page, locale, '/shop-details/69')
    await page.locator('.share > summary').click()
    await page.locator('.share a').first().waitFor()
  }),
  { name: 'look-dialog', part: '.look-dialog', show: lookedInside },
  plain('details-bundle', '/shop-details/10', undefined, '.details__bundle'),
  scene('details-bundle-added', { part: '.details__bundle' }, async (page, locale) => {
    await open(page, locale, '/shop-details/10')
    await button(page, locale, 'document:bundle.addBoth').click()
    await page.getByText(uiText(locale, 'document:bundle.added')).waitFor()
  }),
  plain('details-arabic-title', '/shop-details/66', undefined, 'h1'),
  plain('details-owned', `/shop-details/${OWNED}`, 'parent'),
  plain('teacher', '/teacher-details/1'),
  plain('login', '/login'),
  plain('register', '/register'),
  plain('not-found', '/no-such-page'),
  plain('error', '/error'),
  plain('busy', '/busy'),
  plain('teachers', '/teachers'),
  plain('team', '/team'),
  plain('about', '/about'),
  plain('faq', '/faq'),
  plain('contact', '/contact'),
  plain('terms', '/terms'),
  plain('privacy', '/privacy'),
  plain('forget-password', '/forget-password'),
  plain('reset-password', `/reset-password?token=${'0'.repeat(43)}`),
  plain('reset-password-without-token', '/reset-password'),
  plain('confirm-phone', '/confirm-phone'),
  plain('new-password', '/new-password'),
  plain('confirm-email', `/confirm-email?token=${'0'.repeat(43)}`),
  plain('confirm-email-without-token', '/confirm-email'),
  scene('confirm-email-done', {}, async (page, locale) => {
    await page.route('**/api/auth/confirm-email', (route) =>
      route.fulfill({ json: { status: 'CONFIRMED' } }),
    )
    await open(page, locale, `/confirm-email?token=${'0'.repeat(43)}`)
    await button(page, locale, 'confirm-email:island.submit').click()
    await page.getByText(uiText(locale, 'confirm-email:island.confirmed')).waitFor()
  }),
  ownRating('own-rating', {}, 'verified'),
  ownRating('own-rating-waiting', { verified: false, awaitsConfirmation: true }, 'waiting'),
  ownRating(
    'own-rating-hidden',
    { verified: false, hiddenReason: 'يذكر التعليق اسم تلميذ ورقم هاتفه.' },
    'hidden',
  ),
  scene('own-rating-delete', { as: 'parent' }, async (page, locale) => {
    await withOwnRating(page, locale, {}, 'verified')
    await button(page, locale, 'own-rating:remove').click()
    await dialogOf(page, locale, 'own-rating:dialog.title')
  }),
  scene('drawer', { part: '#drawer', only: 'phone' }, async (page, locale) => {
    await open(page, locale, '/')
    await button(page, locale, 'common:menu.open').click()
    await page.locator('#drawer:popover-open').waitFor()
  }),
  scene('filter-sheet', { part: '#filter-sheet', only: 'phone' }, async (page, locale) => {
    await open(page, locale, '/shop')
    await page.locator('.shop__open').click()
    await page.locator('#filter-sheet:popover-open').waitFor()
  }),
  scene('language-picker', { part: '.picker' }, async (page, locale) => {
    await open(page, locale, '/login')
    await page.locator('.picker__button:visible').first().click()
    await page.locator('.picker__list:visible').first().waitFor()
  }),
]
