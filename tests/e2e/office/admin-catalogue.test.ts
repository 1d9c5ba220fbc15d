import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Entry, Lists } from '../../../src/contract/office-catalogue.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { LANGUAGES } from '../../../src/rules/languages.ts'
import { atOffice, untilHydrated } from '../../support/browser.ts'
import { untilTablesLoaded } from '../../support/office-tables.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { hold } from '../../support/steps.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('an administrator', ({ locale, viewport }, test) => {
  const text = (key: KeyIn<'office-catalogue'>) => uiText(locale, `office-catalogue:${key}`)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const named = (page: Page, key: KeyIn<'office-catalogue'>, name: string) =>
    button(page, text(key).replace('{{name}}', name))
  const row = (page: Page, name: string) => page.locator('.lists__entry', { hasText: name })
  const open = async (page: Page, path: `/office/${string}`) => {
    await page.goto(pathIn(locale, '/office') + path.slice('/office'.length))
    await untilHydrated(page)
  }
  /** What a visitor without script reads. */
  const publicPage = async (path: '/' | '/shop') => {
    const answer = await fetch(shop.url + pathIn(locale, path))
    return await answer.text()
  }

  test('adds a kind of document, renames it over another administrator’s change, and retires it', async () => {
    const admin = await shop.anOfficeAdministrator()
    const other = await shop.anOfficeAdministrator({
      firstName: 'Anis',
      lastName: `Kasmi ${locale}`,
    })
    const { page } = await atOffice(shop.url, admin, { locale, viewport, allowed: [/409/] })
    await open(page, '/office/catalogue')
    await button(page, text('names.categories')).click()
    await button(page, text('names.add.categories')).click()
    await button(page, text('lists.add')).click()
    await expect.poll(() => page.locator('.field__error').count()).toBe(LANGUAGES.length)
    const name = `Fiches ${locale}`
    for (const field of LANGUAGES) {
      await page
        .locator(`[name="names.${field}"]`)
        .fill(field === locale ? name : `${name} ${field}`)
    }
    await button(page, text('lists.add')).click()
    await row(page, name).waitFor()
    expect(await publicPage('/shop')).toContain(name)

    // Another administrator renames it while this page still shows the old names.
    await named(page, 'lists.editEntry', name).click()
    const field = page.locator(`[name="names.${locale}"]`)
    await field.fill(`${name} bis`)
    const { body: lists } = await shop.send(other, 'GET', '/office/admin/lists')
    const { entries } = (lists as Lists).categories
    const entry = entries.find((each) => each.names[locale] === name) as Entry
    const names = { ...entry.names, [locale]: `${name} autre` }
    const change = { revision: entry.revision, names }
    const path = `/office/admin/lists/categories/${entry.id}`
    expect((await shop.send(other, 'PUT', path, change)).status).toBe(200)
    await page.locator('.lists__panel button[type="submit"]').click()
    const conflict = page.locator('.conflict')
    await conflict.getByText(`Kasmi ${locale}`).waitFor()
    await conflict.getByText(`${name} autre`).waitFor()
    await expect.poll(() => field.inputValue()).toBe(`${name} bis`)
    await untilTablesLoaded(page)
    await button(page, uiText(locale, 'office-site:conflict.keep')).click()
    await row(page, `${name} bis`).waitFor()
    await expect.poll(() => publicPage('/shop')).toContain(`${name} bis`)
    await conflict.waitFor({ state: 'detached' })

    await button(page, text('lists.retire')).click()
    await row(page, `${name} bis`).locator('.badge').waitFor()
    expect(await publicPage('/shop')).not.toContain(`${name} bis`)
    await page.locator('.site-history summary').first().click()
    await page.locator('.site-history__list > li').nth(2).waitFor()
    await untilTablesLoaded(page)
  })

  test('features a document, and moves it to the top by keyboard', async () => {
    const admin = await shop.anOfficeAdministrator()
    const title = `Éléments de géométrie ${locale}`
    await shop.aDocument({ title })
    const { page } = await atOffice(shop.url, admin, { locale, viewport })
    await open(page, '/office/featured')
    const list = page.locator('ol.lists__entries > li')
    await list.first().waitFor()
    const before = await list.count()
    const searches: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/choices?')) searches.push(request.url())
    })
    const letGo = await hold(page, /\/choices\?/)
    await page.getByRole('searchbox').fill(`elements geometrie ${locale}`)
    await page.keyboard.press('Enter')
    // A search is under way, so that another Enter is ignored.
    await page.keyboard.press('Enter')
    letGo()
    await named(page, 'featured.addOne', title).click()
    expect(searches).toHaveLength(1)
    await expect.poll(() => list.count()).toBe(before + 1)
    const up = named(page, 'order.up', title)
    await up.focus()
    for (let place = 0; place < before; place++) await page.keyboard.press('Enter')
    await list.first().filter({ hasText: title }).waitFor()
    await expect.poll(() => up.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => up.evaluate((each) => each === document.activeElement)).toBe(true)
    await untilTablesLoaded(page)
    await button(page, text('featured.save')).click()
    await page.locator('.save-order').waitFor({ state: 'detached' })
    const shelf = await publicPage('/')
    expect(shelf.indexOf(title)).toBeGreaterThan(0)
    const second = (await list.nth(1).locator('strong').textContent()) ?? ''
    expect(shelf.lastIndexOf(title)).toBeLessThan(shelf.lastIndexOf(second))

    await named(page, 'featured.removeOne', title).click()
    await button(page, text('featured.save')).click()
    await page.locator('.save-order').waitFor({ state: 'detached' })
    await expect.poll(() => publicPage('/')).not.toContain(title)
  })
})
