import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import type * as pages from '../../../src/contract/office-site-pages.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { atOffice, DESKTOP, PHONE, untilHydrated } from '../../support/browser.ts'
import { sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

type Language = 'ar' | 'fr'
const text = (locale: Language, key: KeyIn<'office-site'>) => uiText(locale, `office-site:${key}`)
const publicText = async (path: string) => (await fetch(shop.url + path)).text()

const saved = (page: Page | Locator, locale: Language) =>
  page.locator('.save-state', { hasText: uiText(locale, 'office:form.saved') })

/** Restores the first version from the history of the page. */
async function undo(page: Page, locale: Language) {
  await page.locator('.site-history > summary').click()
  const list = page.locator('.site-history__list')
  await list.locator('li').last().getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await Promise.all([
    page.waitForEvent('load'),
    dialog.getByRole('button', { name: text(locale, 'history.back'), exact: true }).click(),
  ])
}

test('in Arabic on a phone, an edited answer is published, survives a lost connection and is reverted', async () => {
  const locale = 'ar'
  const admin = await shop.anOfficeAdministrator()
  const options = {
    locale,
    viewport: PHONE,
    allowed: [/Failed to load|ERR_|site page|page faq/],
  } as const
  const { page } = await atOffice(shop.url, admin, options)
  await page.goto('/office/site-pages')
  await untilHydrated(page)
  await page.locator('a[href="/office/site-page?name=faq"]').click()
  await page.locator('main .site-fold > summary').first().click()
  const answer = page.locator('textarea[name^="items."][name$=".ar.text"]:visible').first()
  await answer.fill('جواب جديد للأولياء')
  // Fixed elements do not cover the field being edited.
  const bars = page.locator('.save-foot, .site-page__languages')
  await expect
    .poll(() => bars.evaluateAll((all) => all.map((each) => getComputedStyle(each).position)))
    .toEqual(['static', 'static'])

  await page.route('**/api/office/admin/site-pages/faq', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  const save = page.getByRole('button', { name: text(locale, 'editor.save') })
  await save.click()
  await page.locator('.save-state--failed').waitFor()
  await page.reload()
  await page.locator('.save-state__restored').waitFor()
  await page.unroute('**/api/office/admin/site-pages/faq')
  await page.locator('main .site-fold > summary').first().click()
  await expect.poll(() => answer.inputValue()).toBe('جواب جديد للأولياء')
  await save.click()
  await saved(page, locale).waitFor()
  await expect.poll(() => publicText('/faq')).toContain('جواب جديد للأولياء')
  await undo(page, locale)
  await expect.poll(() => publicText('/faq')).not.toContain('جواب جديد للأولياء')

  await page.goto('/office/facts')
  await untilHydrated(page)
  const contact = text(locale, 'groups.contact')
  await page.locator('main .site-fold > summary').filter({ hasText: contact }).click()
  await page.locator('[name="phones.0"]').waitFor()
  expect(await page.locator('[name="phones.2"]').isVisible()).toBe(false)
  await page.getByRole('button', { name: text(locale, 'add.phones') }).click()
  await page.locator('[name="phones.2"]').fill('123')
  await page.getByRole('button', { name: text(locale, 'facts.save') }).click()
  await page.locator('.field__error').waitFor()
})

test('in French on a desktop, the second editor sees both texts, and the history keeps all of them', async () => {
  const locale = 'fr'
  const [admin, other] = await Promise.all([
    shop.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' }),
    shop.anOfficeAdministrator({ firstName: 'Anis', lastName: 'Kasmi' }),
  ])
  const options = { locale, viewport: DESKTOP, allowed: [/status of 409|page about/] } as const
  const { page } = await atOffice(shop.url, admin, options)
  await page.goto(pathIn(locale, '/office/site-page?name=about'))
  await untilHydrated(page)
  const title = page.locator('[name="fr.title"]')
  await title.fill('Notre maison')
  await page.locator('[name="en.title"]').fill('')
  await page.locator('.site-page__lacks').first().waitFor()
  // The preview is loaded once it comes near the screen.
  await page.locator('.site-history').scrollIntoViewIfNeeded()
  await page.locator('#page-preview').scrollIntoViewIfNeeded()
  await page.locator('.site-page__preview', { hasText: 'Notre maison' }).waitFor()
  await page.locator('[name="en.title"]').fill('Our house')

  const path = '/office/admin/site-pages/about'
  const { body: now } = await shop.send(other, 'GET', path)
  const theirs = structuredClone(now) as pages.OfficePage
  theirs.page.fr.title = 'Qui sommes-nous'
  await shop.send(other, 'PUT', path, { revision: theirs.revision, page: theirs.page })
  const save = page.getByRole('button', { name: text(locale, 'editor.save') })
  await save.click()
  const conflict = page.locator('.conflict')
  await conflict.getByText('Anis Kasmi').waitFor()
  await conflict.getByText('Notre maison').waitFor()
  await conflict.getByText('Qui sommes-nous').waitFor()
  await conflict.getByRole('button', { name: text(locale, 'conflict.keep') }).click()
  await saved(page, locale).waitFor()
  await expect.poll(() => publicText('/fr/about')).toContain('Notre maison')
  await undo(page, locale)
  await expect.poll(() => publicText('/fr/about')).not.toContain('Notre maison')
  await page.locator('.site-history > summary').click()
  await page.locator('.site-history__list').getByText('Anis Kasmi').waitFor()
  await page.locator('.site-history__changes > summary').nth(1).click()
  await page.locator('.site-history__changes ins', { hasText: 'Notre' }).first().waitFor()
})

test('in French on a desktop, a text of the interface is overridden and restored', async () => {
  const locale = 'fr'
  const shipped = uiText(locale, 'content:faq.more')
  const word = (key: KeyIn<'office-interface-texts'>) =>
    uiText(locale, `office-interface-texts:${key}`)
  const admin = await shop.anOfficeAdministrator()
  const { page } = await atOffice(shop.url, admin, { locale, viewport: DESKTOP })
  await page.goto(pathIn(locale, '/office/interface-texts'))
  await untilHydrated(page)
  await page.getByRole('searchbox').fill(shipped.toUpperCase())
  await page.waitForURL(/q=/)
  const row = page.locator('.interface-texts > li', { hasText: 'content:faq.more' })
  await row.locator('.site-fold > summary').click()
  const french = row.locator('.interface-texts__language', { hasText: 'Français' })
  await french.locator('textarea').waitFor()
  await expect.poll(() => french.locator('.save-state').textContent()).toBe('')
  await french.locator('textarea').fill('Une question {{name}}')
  const save = french.getByRole('button', { name: word('page.save') })
  await save.click()
  await french.getByText(word('page.mustNotFill')).waitFor()
  await french.locator('textarea').fill('Encore une question')
  await save.click()
  await saved(french, locale).waitFor()
  await expect.poll(() => publicText('/fr/faq')).toContain('Encore une question')
  await french.getByRole('button', { name: word('page.reset') }).click()
  await Promise.all([
    page.waitForEvent('load'),
    page
      .getByRole('dialog')
      .getByRole('button', { name: word('page.reset') })
      .click(),
  ])
  await expect.poll(() => publicText('/fr/faq')).toContain(shipped)
})
