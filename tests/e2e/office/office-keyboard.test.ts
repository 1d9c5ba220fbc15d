import type { Locator } from 'playwright'
import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { violationsInBoth } from '../../support/axe.ts'
import { DESKTOP, newVisitor, PHONE, untilHydrated } from '../../support/browser.ts'
import { expectFocusTrapped, hasFocus, tabTo } from '../../support/keyboard.ts'
import { aDraft, allowed, atOffice, field, inLocale } from '../../support/office-life.ts'
import { aPdf } from '../../support/pdf.ts'
import { PASSWORD } from '../../support/people.ts'
import { expectReadable } from '../../support/reading.ts'
import { link } from '../../support/scene-steps.ts'
import { ARABIC, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

test('by keyboard alone on a phone: from the log-in to a submission', async () => {
  const { locale } = ARABIC
  const { text, isSaved, stands } = inLocale(locale)
  const teacher = await shop.anOfficeTeacher({ firstName: 'نور', lastName: 'الغربي' })
  await shop.aDocument({ teacherId: teacher.teacherId, title: 'الزوايا' })
  await aDraft(shop, teacher)
  const { page } = await newVisitor(shop.url, { locale, viewport: PHONE, allowed })
  const press = (key: string) => page.keyboard.press(key)
  /** Tabs to a field and types. */
  const type = async (target: Locator, value: string) => {
    await tabTo(page, target)
    await page.keyboard.type(value)
  }
  /** Tabs to a button or link and presses it. */
  const enter = async (target: Locator) => {
    await tabTo(page, target)
    await press('Enter')
  }

  await page.goto(pathIn(locale, '/office/login'))
  await untilHydrated(page)
  await type(page.getByLabel(uiText(locale, 'office-access:fields.username')), teacher.email)
  await type(page.locator('input[type="password"]'), PASSWORD)
  await press('Enter')
  await page.waitForURL((url) => url.pathname === pathIn(locale, '/office'))

  // The menu traps the focus while it is open, and restores it.
  await untilHydrated(page)
  const more = page.locator('.office-bar:visible button')
  await enter(more)
  const menu = page.locator('.office-panel:popover-open')
  await menu.waitFor()
  await press('Escape')
  await menu.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(more)).toBe(true)
  await press('Enter')
  await enter(link(menu, locale, 'office:menu.documents'))
  await page.waitForURL((url) => url.pathname === pathIn(locale, '/office/documents'))

  // The filters, and the sort control that replaces column heads on narrow screens.
  const titles = page.locator('main .own-title')
  await expect.poll(() => titles.count()).toBe(2)
  await expectReadable(page, locale)
  const drafts = page.locator('.tabs button', { hasText: text('states.draft') })
  await enter(drafts)
  await expect.poll(() => titles.count()).toBe(1)
  await expect.poll(() => hasFocus(drafts)).toBe(true)
  await tabTo(page, page.getByLabel(uiText(locale, 'office:table.sort')))
  await press('Home')
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).not.toBeNull()

  await enter(page.locator('main tbody').getByRole('link').first())
  await page.waitForURL(/\/office\/document\?id=\d+$/)
  await field(page, 'title').waitFor()
  const choose = page.locator('.editor__file .upload button').first()
  const chooser = page.waitForEvent('filechooser')
  await enter(choose)
  const file = { name: 'درس.pdf', mimeType: 'application/pdf', buffer: aPdf('الزوايا', 2) }
  await (await chooser).setFiles(file)
  await page.locator('.editor__file').getByText(text('form.file.there')).waitFor()
  await type(field(page, 'title'), 'الكسور العشرية')
  for (const name of ['matiereId', 'niveauId', 'categoryId', 'type'] as const) {
    await tabTo(page, field(page, name))
    await press('ArrowDown')
  }
  await type(field(page, 'price'), '12')
  const submit = page.locator('.save-foot').getByRole('button', {
    name: text('acts.submit.button'),
  })
  await tabTo(page, submit)
  await isSaved(page)
  await expectReadable(page, locale)

  // A dialog traps the focus, and Escape restores it.
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: text('acts.submit.title') })
  await expectFocusTrapped(page, dialog)
  expect(await violationsInBoth(page)).toEqual([])
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(submit)).toBe(true)
  await press('Enter')
  await enter(dialog.getByRole('button', { name: text('acts.submit.button') }))
  await stands(page, 'submitted')
})

test('by keyboard alone, in French on a desktop: a table, a form and a dialog', async () => {
  const locale = 'fr'
  const { text, isSaved, stands } = inLocale(locale)
  const teacher = await shop.anOfficeTeacher({ firstName: 'Nour', lastName: 'Gharbi' })
  const { teacherId } = teacher
  for (const title of ['Angles', 'Barycentres']) await shop.aDocument({ teacherId, title })
  const { page } = await atOffice(shop, teacher, locale, DESKTOP)
  await page.goto(pathIn(locale, '/office/documents'))
  const rows = page.locator('main tbody tr')
  await expect.poll(() => rows.count()).toBe(2)
  await page.keyboard.press('Tab')
  await expect.poll(() => hasFocus(page.locator('.skip'))).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(page.locator('#main'))).toBe(true)

  // The search, then the sorting column head, keep the focus while the rows load.
  await tabTo(page, page.getByRole('searchbox', { name: text('list.search') }))
  await page.keyboard.type('bary')
  await expect.poll(() => rows.count()).toBe(1)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await expect.poll(() => rows.count()).toBe(2)
  const head = page.locator('th button', { hasText: text('list.columns.title') })
  await tabTo(page, head)
  for (const [order, first] of [
    ['ascending', 'Angles'],
    ['descending', 'Barycentres'],
  ] as const) {
    await page.keyboard.press('Enter')
    await expect.poll(() => head.locator('xpath=..').getAttribute('aria-sort')).toBe(order)
    await expect.poll(() => rows.first().innerText()).toContain(first)
    await expect.poll(() => hasFocus(head)).toBe(true)
  }

  // A dialog traps the focus, and Escape restores it.
  const unpublish = rows
    .first()
    .getByRole('button', { name: text('acts.unpublish.button') })
    .first()
  await tabTo(page, unpublish)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: text('acts.unpublish.title') })
  await expectFocusTrapped(page, dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(unpublish)).toBe(true)

  // Into the form, which saves input, and to the actions at its end.
  const way = rows.first().getByRole('link').first()
  await way.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/office\/document\?id=\d+$/)
  await tabTo(page, field(page, 'title'))
  await page.keyboard.press('End')
  await page.keyboard.type(' 2')
  await tabTo(page, page.locator('.save-foot button').first())
  await isSaved(page)
  await page.keyboard.press('Enter')
  await expectFocusTrapped(page, dialog)
  await tabTo(page, dialog.getByRole('textbox'))
  await page.keyboard.type('Une pause')
  await tabTo(page, dialog.getByRole('button', { name: text('acts.unpublish.button') }))
  await page.keyboard.press('Enter')
  await stands(page, 'unpublished')
})
