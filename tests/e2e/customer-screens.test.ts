import { expect } from 'vitest'
import { percentText } from '../../src/i18n/format.ts'
import { inLanguage, pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { EXAMPLE_FACTS } from '../../src/site.ts'
import { loggedIn, newVisitor } from '../support/browser.ts'
import { showChoices } from '../support/library.ts'
import { button, link } from '../support/scene-steps.ts'
import { journeys, sharedShop } from '../support/stage.ts'
import { uiText } from '../support/texts.ts'

const shop = sharedShop()

journeys('a customer’s pages', ({ locale, viewport }, test) => {
  const of = (decimal: string) => (locale === 'fr' ? decimal.replace('.', ',') : decimal)
  test('the cart lists title, number, both prices and the percentage, and removes an item', async () => {
    const one = await shop.aDocument({
      title: `Panier ${locale}`,
      price: dinars(20),
      priceDiscount: dinars(15),
    })
    const two = await shop.aDocument({ title: `Autre ${locale}`, price: dinars(6) })
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto('/robots.txt')
    await page.evaluate(
      (items) => localStorage.setItem('static_cart', JSON.stringify({ items })),
      [
        { documentId: one.id, title: one.title, price: 20, priceDiscount: 15 },
        { documentId: two.id, title: two.title, price: 6 },
      ],
    )
    await page.goto(pathIn(locale, '/checkout'))
    const items = page.locator('.line-items > li')
    await expect.poll(() => items.count()).toBe(2)
    const text = await items.filter({ hasText: one.title }).innerText()
    for (const shown of [
      one.title,
      String(one.id),
      of('20.00'),
      of('15.00'),
      percentText(locale, 25),
    ]) {
      expect(text).toContain(shown)
    }
    await expect.poll(() => page.locator('main').innerText()).toContain(of('21.00'))
    await button(items.filter({ hasText: two.title }), locale, 'checkout:items.remove').click()
    await expect.poll(() => items.count()).toBe(1)
  })

  test('my documents are books on a shelf, or a table of all purchases, filtered three ways', async () => {
    const teacher = await shop.aTeacher({ firstName: 'Sana', lastName: `Shelf ${locale}` })
    const niveauId = await shop.aClass('high-school', 'Bac')
    const one = await shop.aDocument({
      title: `Histoire ${locale}`,
      teacherId: teacher.id,
      matiereId: await shop.aMatiere('Chroniques'),
      categoryId: await shop.aCategory('ملخّص درس'),
      niveauId,
      price: dinars(3),
    })
    const two = await shop.aDocument({ title: `Chimie ${locale}`, niveauId, price: dinars(4) })
    const parent = await shop.aCustomer({ balance: dinars(10) })
    await shop.buys(parent, [one.id, two.id])
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, at: '/my-documents' })
    const rows = page.locator('[data-purchased]')
    await expect.poll(() => rows.count()).toBe(2)
    const row = rows.filter({ hasText: one.title })
    // Phones show books until somebody chooses the table, which the browser then remembers.
    await expect.poll(() => page.locator('table').count()).toBe(viewport.width < 768 ? 0 : 1)
    const switchTo = (view: 'books' | 'table') =>
      page
        .getByRole('button', { name: uiText(locale, `library:page.views.${view}`), exact: true })
        .click()
    await switchTo('books')
    await row.getByRole('button').last().click()
    const dialog = page.getByRole('dialog', { name: one.title })
    await dialog.getByText(teacher.name).waitFor()
    await button(dialog, locale, 'library:page.download').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // A child's shelf, with one of the two books on it.
    await showChoices(page, locale)
    await button(page, locale, 'library:shelves.first').click()
    const shelves = page.getByRole('dialog', { name: uiText(locale, 'library:shelves.title') })
    await shelves.getByLabel(uiText(locale, 'library:shelves.name')).fill('ياسمين & Léa')
    await button(shelves, locale, 'library:shelves.add').click()
    await button(shelves, locale, 'library:shelves.fill').click()
    await shelves.getByLabel(one.title).check()
    await button(shelves, locale, 'library:shelves.save').click()
    await button(shelves, locale, 'library:shelves.fill').waitFor()
    await page.keyboard.press('Escape')
    await shelves.waitFor({ state: 'detached' })
    const label = page.getByRole('button', { name: 'ياسمين & Léa' })
    await label.click()
    await expect.poll(() => rows.count()).toBe(1)
    await button(page, locale, 'library:shelves.all').click()
    await expect.poll(() => rows.count()).toBe(2)

    // The stars of a book open its rating.
    await row.getByRole('button').first().click()
    await dialog.getByRole('radio').nth(3).check({ force: true })
    await button(dialog, locale, 'ratings:form.submit').click()
    await dialog.getByText(uiText(locale, 'ratings:form.messages.success')).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => row.locator('.own-stars').getAttribute('data-own')).toBe('4')
    const search = page.getByLabel(uiText(locale, 'library:page.search'))
    await search.fill('shelf CHRONIQUE')
    await expect.poll(() => rows.count()).toBe(1)
    await page.waitForURL((url) => url.searchParams.get('q') === 'shelf CHRONIQUE')
    await page.reload()
    await expect.poll(() => search.inputValue()).toBe('shelf CHRONIQUE')
    await expect.poll(() => rows.count()).toBe(1)
    await search.fill('zzz')
    await page.waitForURL((url) => url.searchParams.get('q') === 'zzz')
    await button(page, locale, 'library:page.none.clear').click()
    await page.reload()
    await expect.poll(() => rows.count()).toBe(2)
    await showChoices(page, locale)
    await page
      .getByLabel(uiText(locale, 'library:page.sort.label'))
      .selectOption(uiText(locale, 'library:page.sort.title'))
    await expect.poll(() => rows.first().innerText()).toContain(two.title)
    await switchTo('table')
    const table = page.locator('table')
    await table.waitFor()
    await page.reload()
    await table.waitFor()
    const text = await row.innerText()
    for (const shown of [
      one.title,
      'ملخّص درس',
      'Chroniques',
      'Bac',
      teacher.name,
      of('3.00'),
      String(new Date().getFullYear()),
      uiText(locale, 'library:page.preview'),
      uiText(locale, 'library:page.download'),
    ]) {
      expect(text).toContain(shown)
    }
    await showChoices(page, locale)
    for (const filter of ['matiereId', 'niveauId', 'category'] as const) {
      await page.getByLabel(uiText(locale, `library:page.filters.${filter}`)).waitFor()
    }
    await page
      .getByLabel(uiText(locale, 'library:page.filters.matiereId'))
      .selectOption({ label: 'Chroniques' })
    await expect.poll(() => rows.count()).toBe(1)
    const types = page.getByLabel(uiText(locale, 'library:page.filters.category'))
    await expect
      .poll(() => types.locator('option').allInnerTexts())
      // Other files of tests add kinds of their own to this shop.
      .toEqual(
        expect.arrayContaining([
          uiText(locale, 'library:page.filters.all'),
          ...(['lessons', 'exercises', 'exams', 'summaries'] as const).map((type) =>
            uiText(locale, `catalogue:categories.${type}`),
          ),
        ]),
      )
    await link(page, locale, 'library:page.explore').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/shop'))
  })

  test('the log-in has five links above it, and leads to registration and to a password reset', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, at: '/login' })
    const links = (within: string) =>
      page.locator(`${within} a`).evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(await links('.account__nav')).toEqual(
      ['/home', '/shop', '/category', '/contact', '/about-us'].map((path) =>
        inLanguage(locale, path),
      ),
    )
    const below = await links('.account__panel')
    expect(below).toContain(pathIn(locale, '/register'))
    expect(below).toContain(pathIn(locale, '/forget-password'))
    await page.goto(pathIn(locale, '/register'))
    expect(await links('.account__panel')).toContain(pathIn(locale, '/login'))
  })

  test('contact has the school, its address, two telephone numbers and an e-mail address', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, at: '/contact' })
    const text = await page.locator('main').innerText()
    for (const shown of [
      EXAMPLE_FACTS.contact.school[locale],
      ...EXAMPLE_FACTS.contact.addresses.map((address) => address[locale]),
      ...EXAMPLE_FACTS.contact.phones,
    ]) {
      expect(text).toContain(shown)
    }
    await expect
      .poll(() => page.locator(`main a[href="mailto:${EXAMPLE_FACTS.contact.email}"]`).innerText())
      .toBe(EXAMPLE_FACTS.contact.email)
  })
})
