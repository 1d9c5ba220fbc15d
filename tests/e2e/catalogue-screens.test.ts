import { describe, expect, test } from 'vitest'
import { formatDate } from '../../src/i18n/format.ts'
import { inLanguage, pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { FIRST_FACTS } from '../../src/site.ts'
import { violations } from '../support/axe.ts'
import { DESKTOP, loggedIn, PHONE, visitor } from '../support/browser.ts'
import { drawAll } from '../support/scene-steps.ts'
import { sharedShop } from '../support/stage.ts'
import { said } from '../support/texts.ts'

const shop = sharedShop()

const people = [
  { who: 'in Arabic on a phone', locale: 'ar', viewport: PHONE, of: (text: string) => text },
  {
    who: 'in French on a desktop',
    locale: 'fr',
    viewport: DESKTOP,
    of: (text: string) => text.replace('.', ','),
  },
] as const

describe.each(people)('the catalogue $who', ({ locale, viewport, of }) => {
  test('a card has a cover, the saved percentage, a heart, rating, description, prices and buttons', async () => {
    const teacher = await shop.aTeacher({ firstName: 'Ines', lastName: `Card ${locale}` })
    const document = await shop.aDocument({
      title: 'Les carrés',
      description: 'Aires et côtés',
      teacherId: teacher.id,
      price: dinars(12),
      priceDiscount: dinars(9),
    })
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, `/shop?teacherId=${teacher.id}`))
    expect((await page.locator('h1').innerText()).length).toBeGreaterThan(3)
    const card = page.locator('main .card')
    await expect.poll(() => card.locator('.cover').isVisible()).toBe(true)
    await expect.poll(() => card.locator('.badge').innerText()).toContain('−25%')
    await expect.poll(() => card.locator('.heart').getAttribute('aria-pressed')).toBe('false')
    const text = await card.innerText()
    for (const shown of [document.title, teacher.name, 'Aires et côtés', of('12.00'), of('9.00')]) {
      expect(text).toContain(shown)
    }
    expect(text).toContain(said(locale, 'common:rating.none'))
    expect(text).toContain(said(locale, 'cart:add.add'))
    await expect
      .poll(() => card.evaluate((element) => getComputedStyle(element, '::after').content))
      .toContain(said(locale, 'common:card.details'))
    // What stands at the end of the card belongs to its link.
    const { width, height } = (await card.boundingBox()) ?? { width: 0, height: 0 }
    await card.click({ position: { x: width / 2, y: height - 4 }, force: true })
    await page.waitForURL((url) => url.pathname === pathIn(locale, `/shop-details/${document.id}`))
    await someone.leave()
  })

  test('twelve a page; the pager ends on both sides, and a filter starts from its first page', async () => {
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, '/shop'))
    const cards = page.locator('main .card')
    const previous = page.locator('.pager__step').first()
    const next = page.locator('.pager__step').last()
    await expect.poll(() => cards.count()).toBe(12)
    await expect.poll(() => previous.getAttribute('aria-disabled')).toBe('true')
    const numbered = page.locator('.pager__page')
    await expect.poll(() => numbered.first().getAttribute('aria-current')).toBe('page')
    // Cards that come into view take their own heights, and the pager moves away under the press.
    await drawAll(page)
    await next.click()
    await page.waitForURL(/page=2/)
    await expect.poll(() => page.locator('.pager__page[aria-current]').innerText()).toBe('2')
    await expect.poll(() => previous.getAttribute('aria-disabled')).toBeNull()
    await numbered.last().click()
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true')
    if (viewport.width < 1024) await page.locator('.shop__open').click()
    await page.locator('select[name="level"]').selectOption('high-school')
    if (viewport.width < 1024) {
      await page.getByRole('button', { name: said(locale, 'shop:filters.apply') }).click()
    }
    await page.waitForURL(
      ({ searchParams }) =>
        searchParams.get('level') === 'high-school' && !searchParams.get('page'),
    )
    await expect.poll(() => previous.getAttribute('aria-disabled')).toBe('true')
    await someone.leave()
  })

  test('the details show every fact, and three other documents of the teacher at most', async () => {
    const teacher = await shop.aTeacher({ firstName: 'Nour', lastName: `Details ${locale}` })
    const others = []
    for (const at of [1, 2, 3, 4]) {
      others.push(await shop.aDocument({ title: `Autre ${at}`, teacherId: teacher.id }))
    }
    const uploadedAt = new Date('2026-03-04T12:00:00Z')
    const document = await shop.aDocument({
      title: 'Les fractions',
      description: 'Parts et nombres',
      teacherId: teacher.id,
      categoryId: await shop.aCategory('سلسلة تمارين'),
      matiereId: await shop.aMatiere('Calcul'),
      niveauId: await shop.aNiveau('primary-school', '6e année'),
      price: dinars(10),
      priceDiscount: dinars(7.5),
      uploadedAt,
    })
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await expect.poll(() => page.locator('h1').innerText()).toBe(document.title)
    await expect.poll(() => page.locator('.details__cover .cover').isVisible()).toBe(true)
    await expect.poll(() => page.locator('main').innerText()).toContain('Parts et nombres')
    const buy = await page.locator('.buy').innerText()
    for (const shown of [of('10.00'), of('7.50'), '−25%']) expect(buy).toContain(shown)
    const facts = await page.locator('.facts-list').innerText()
    for (const key of ['matiere', 'classe', 'category', 'type', 'released', 'sales'] as const) {
      expect(facts).toContain(said(locale, `document:${key}`))
    }
    const released = formatDate(locale, uploadedAt.toISOString())
    for (const shown of ['Calcul', '6e année', 'سلسلة تمارين', released, '0']) {
      expect(facts).toContain(shown)
    }
    await expect
      .poll(() => page.locator('[data-average]').innerText())
      .toBe(said(locale, 'common:rating.none'))
    await expect.poll(() => page.locator('.star-choice label').count()).toBe(5)
    await page
      .locator('main .details__by a', { hasText: teacher.name })
      .and(page.locator(`[href="${pathIn(locale, `/teacher-details/${teacher.id}`)}"]`))
      .waitFor()
    const cards = page.locator('.others .card__link')
    await expect.poll(() => cards.count()).toBe(3)
    const shown = await cards.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    const mine = others.map(({ id }) => pathIn(locale, `/shop-details/${id}`))
    for (const href of shown) expect(mine).toContain(href)
    await page.getByRole('link', { name: said(locale, 'document:continue') }).click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/shop'))
    await someone.leave()
  })

  test('the details never ask by the card’s log-in dialog', async () => {
    const document = await shop.aDocument({ title: 'Jamais' })
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    for (const press of ['.details .heart:visible', '.buy .add-to-cart button:visible']) {
      await page.locator(press).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await expect
        .poll(() => dialog.innerText())
        .toContain(said(locale, 'cart:overlays.anonymous.title'))
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await someone.leave()
  })

  test('a teacher’s page has the name, the figures, the bio and how to reach them', async () => {
    const teacher = await shop.aTeacher({
      firstName: 'Rim',
      lastName: `Figures ${locale}`,
      email: `rim-${locale}@karras.test`,
      bio: 'Vingt ans de craie',
    })
    const document = await shop.aDocument({ teacherId: teacher.id, price: dinars(2) })
    await shop.aDocument({ teacherId: teacher.id })
    const parent = await shop.aCustomer({ balance: dinars(5) })
    await shop.buys(parent, [document.id])
    const rating = await fetch(`${shop.url}/api/ratings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${parent.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        user: { id: parent.id },
        teacher: { id: teacher.id },
        rating: 4,
        comment: '',
        createdAt: new Date().toISOString(),
      }),
    })
    expect(rating.status).toBeLessThan(300)
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, `/teacher-details/${teacher.id}`))
    await expect.poll(() => page.locator('h1').innerText()).toBe(teacher.name)
    const figures = page.locator('.teacher__figures > div')
    await expect
      .poll(async () =>
        (await figures.allInnerTexts()).map((text) =>
          text.replace(/[\s\u2068\u2069]+/g, ' ').trim(),
        ),
      )
      .toEqual([
        `${said(locale, 'teacher:sales')} 1`,
        `${said(locale, 'teacher:books')} 2`,
        expect.stringContaining(of('4.0')),
      ])
    await expect.poll(() => page.locator('dl .stars').getAttribute('data-count')).toBe('(1)')
    await expect.poll(() => page.locator('.teacher__bio').innerText()).toBe('Vingt ans de craie')
    const contact = await page.locator('.teacher__contact').innerText()
    expect(contact).toContain(`rim-${locale}@karras.test`)
    expect(contact).toContain(FIRST_FACTS.contact.phones[0])
    await someone.leave()
  })

  test('the cart lists title, number, both prices and the percentage, and takes one out', async () => {
    const one = await shop.aDocument({
      title: `Panier ${locale}`,
      price: dinars(20),
      priceDiscount: dinars(15),
    })
    const two = await shop.aDocument({ title: `Autre ${locale}`, price: dinars(6) })
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
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
    for (const shown of [one.title, String(one.id), of('20.00'), of('15.00'), '25%']) {
      expect(text).toContain(shown)
    }
    await expect.poll(() => page.locator('main').innerText()).toContain(of('21.00'))
    await items
      .filter({ hasText: two.title })
      .getByRole('button', { name: said(locale, 'checkout:items.remove') })
      .click()
    await expect.poll(() => items.count()).toBe(1)
    await someone.leave()
  })

  test('my documents are books on a shelf, or a table of all that was bought, filtered three ways', async () => {
    const teacher = await shop.aTeacher({ firstName: 'Sana', lastName: `Shelf ${locale}` })
    const niveauId = await shop.aNiveau('high-school', 'Bac')
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
    const someone = await loggedIn(shop.url, parent, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, '/my-documents'))
    const rows = page.locator('[data-purchased]')
    await expect.poll(() => rows.count()).toBe(2)
    const row = rows.filter({ hasText: one.title })
    // Phones show books until somebody wants the table, which the browser then remembers.
    await expect.poll(() => page.locator('table').count()).toBe(viewport.width < 768 ? 0 : 1)
    const switchTo = (view: 'books' | 'table') =>
      page
        .getByRole('button', { name: said(locale, `library:page.views.${view}`), exact: true })
        .click()
    await switchTo('books')
    await row.getByRole('button').last().click()
    const dialog = page.getByRole('dialog', { name: one.title })
    await dialog.getByText(teacher.name).waitFor()
    await dialog.getByRole('button', { name: said(locale, 'library:page.download') }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // A shelf for a child, and one of the two books on it.
    await page.getByRole('button', { name: said(locale, 'library:shelves.first') }).click()
    const shelves = page.getByRole('dialog', { name: said(locale, 'library:shelves.title') })
    await shelves.getByLabel(said(locale, 'library:shelves.name')).fill('ياسمين & Léa')
    await shelves.getByRole('button', { name: said(locale, 'library:shelves.add') }).click()
    await shelves.getByRole('button', { name: said(locale, 'library:shelves.fill') }).click()
    await shelves.getByLabel(one.title).check()
    await shelves.getByRole('button', { name: said(locale, 'library:shelves.save') }).click()
    await shelves.getByRole('button', { name: said(locale, 'library:shelves.fill') }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await shelves.waitFor({ state: 'detached' })
    const label = page.getByRole('button', { name: 'ياسمين & Léa' })
    await label.click()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: said(locale, 'library:shelves.all') }).click()
    await expect.poll(() => rows.count()).toBe(2)

    // The stars of a book open its rating.
    await row.getByRole('button').first().click()
    await dialog.getByRole('radio').nth(3).check({ force: true })
    await dialog.getByRole('button', { name: said(locale, 'ratings:form.submit') }).click()
    await dialog.getByText(said(locale, 'ratings:form.messages.success')).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => row.locator('.own-stars').getAttribute('data-own')).toBe('4')
    const search = page.getByLabel(said(locale, 'library:page.search'))
    await search.fill('shelf CHRONIQUE')
    await expect.poll(() => rows.count()).toBe(1)
    await page.waitForURL((url) => url.searchParams.get('q') === 'shelf CHRONIQUE')
    await page.reload()
    await expect.poll(() => search.inputValue()).toBe('shelf CHRONIQUE')
    await expect.poll(() => rows.count()).toBe(1)
    await search.fill('zzz')
    await page.getByRole('button', { name: said(locale, 'library:page.none.clear') }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await page
      .getByLabel(said(locale, 'library:page.sort.label'))
      .selectOption(said(locale, 'library:page.sort.title'))
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
      said(locale, 'library:page.preview'),
      said(locale, 'library:page.download'),
    ]) {
      expect(text).toContain(shown)
    }
    for (const filter of ['matiereId', 'niveauId', 'category'] as const) {
      await page.getByLabel(said(locale, `library:page.filters.${filter}`)).waitFor()
    }
    await page
      .getByLabel(said(locale, 'library:page.filters.matiereId'))
      .selectOption({ label: 'Chroniques' })
    await expect.poll(() => rows.count()).toBe(1)
    const types = page.getByLabel(said(locale, 'library:page.filters.category'))
    await expect
      .poll(() => types.locator('option').allInnerTexts())
      // Other files of tests add kinds of their own to this shop.
      .toEqual(
        expect.arrayContaining([
          said(locale, 'library:page.filters.all'),
          ...(['lessons', 'exercises', 'exams', 'summaries'] as const).map((type) =>
            said(locale, `catalogue:categories.${type}`),
          ),
        ]),
      )
    await page.getByRole('link', { name: said(locale, 'library:page.explore') }).click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/shop'))
    await someone.leave()
  })

  test('the log-in has five links above it, and ways to an account and to a new password', async () => {
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, '/login'))
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
    await someone.leave()
  })

  test('contact has the school, its address, two telephone numbers, an e-mail address', async () => {
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, '/contact'))
    const text = await page.locator('main').innerText()
    for (const shown of [
      FIRST_FACTS.contact.school[locale],
      ...FIRST_FACTS.contact.addresses.map((address) => address[locale]),
      ...FIRST_FACTS.contact.phones,
    ]) {
      expect(text).toContain(shown)
    }
    await expect
      .poll(() => page.locator(`main a[href="mailto:${FIRST_FACTS.contact.email}"]`).innerText())
      .toBe(FIRST_FACTS.contact.email)
    await someone.leave()
  })
})
