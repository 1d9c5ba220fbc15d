import { expect } from 'vitest'
import { formatDate } from '../../src/i18n/dates.ts'
import { percentText } from '../../src/i18n/format.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { EXAMPLE_FACTS } from '../../src/site.ts'
import { newVisitor, withoutCache } from '../support/browser.ts'
import { button, link, renderOffscreen } from '../support/scene-steps.ts'
import { journeys, sharedShop } from '../support/stage.ts'
import { hold } from '../support/steps.ts'
import { uiText } from '../support/texts.ts'

const shop = sharedShop()

journeys('the catalogue', ({ locale, viewport }, test) => {
  const of = (decimal: string) => (locale === 'fr' ? decimal.replace('.', ',') : decimal)
  test('a card has a cover, the discount, a heart, rating, description, prices and buttons', async () => {
    const teacher = await shop.aTeacher({ firstName: 'Ines', lastName: `Card ${locale}` })
    const document = await shop.aDocument({
      title: 'Les carrés',
      description: 'Aires et côtés',
      teacherId: teacher.id,
      price: dinars(12),
      priceDiscount: dinars(9),
    })
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(pathIn(locale, `/shop?teacherId=${teacher.id}`))
    expect((await page.locator('h1').innerText()).length).toBeGreaterThan(3)
    const card = page.locator('main .card')
    await expect.poll(() => card.locator('.cover').isVisible()).toBe(true)
    await expect
      .poll(() => card.locator('.badge').innerText())
      .toContain(`−${percentText(locale, 25)}`)
    await expect.poll(() => card.locator('.heart').getAttribute('aria-pressed')).toBe('false')
    const text = await card.innerText()
    for (const shown of [document.title, teacher.name, of('12.00'), of('9.00')]) {
      expect(text).toContain(shown)
    }
    // On phones the card leaves out the description and "view details": the whole card is that link.
    const isWide = viewport.width >= 768
    expect(text.includes('Aires et côtés')).toBe(isWide)
    expect(text).toContain(uiText(locale, 'common:rating.none'))
    expect(text).toContain(uiText(locale, 'cart:add.add'))
    const after = await card.evaluate((element) => getComputedStyle(element, '::after').content)
    expect(after.includes(uiText(locale, 'common:card.details'))).toBe(isWide)
    // What lies between the controls of a card belongs to its link.
    await card.locator('.stars').click({ force: true })
    await page.waitForURL((url) => url.pathname === pathIn(locale, `/shop-details/${document.id}`))
  })

  test('twelve per page; the pager stops at both ends, and a filter starts from its first page', async () => {
    // Only one teacher's: the sales of other tests would move the last page.
    const teacher = await shop.aTeacher()
    const niveauId = await shop.aClass('high-school', 'Bac')
    await Promise.all(
      Array.from({ length: 25 }, () => shop.aDocument({ teacherId: teacher.id, niveauId })),
    )
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(pathIn(locale, `/shop?teacherId=${teacher.id}`))
    const cards = page.locator('main .card')
    const previous = page.locator('.pager__step').first()
    const next = page.locator('.pager__step').last()
    await expect.poll(() => cards.count()).toBe(12)
    await expect.poll(() => previous.getAttribute('aria-disabled')).toBe('true')
    const numbered = page.locator('.pager__page')
    await expect.poll(() => numbered.first().getAttribute('aria-current')).toBe('page')
    // Cards that scroll into view take their real heights, which moves the pager away during the
    // click.
    await renderOffscreen(page)
    await next.click()
    await page.waitForURL(/page=2/)
    await expect.poll(() => page.locator('.pager__page[aria-current]').innerText()).toBe('2')
    await expect.poll(() => previous.getAttribute('aria-disabled')).toBeNull()
    await numbered.last().click()
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true')
    if (viewport.width < 1024) await page.locator('.shop__open').click()
    await page.locator('select[name="level"]').selectOption('high-school')
    if (viewport.width < 1024) {
      await button(page, locale, 'shop:filters.apply').click()
    }
    await page.waitForURL(
      ({ searchParams }) =>
        searchParams.get('level') === 'high-school' && !searchParams.get('page'),
    )
    await expect.poll(() => previous.getAttribute('aria-disabled')).toBe('true')
  })

  test('a filter that is chosen before the script is there is applied by it', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await withoutCache(page)
    const releaseScripts = await hold(page, /\.js$/)
    await page.goto(pathIn(locale, '/shop?page=2'), { waitUntil: 'commit' })
    if (viewport.width < 1024) await page.locator('.shop__open').click()
    await page.locator('select[name="level"]').selectOption('high-school')
    releaseScripts()
    await page.waitForURL((url) => url.search === '?level=high-school')
    await expect.poll(() => page.locator('.chips a').first().isVisible()).toBe(true)
  })

  test('the details show every fact, and at most three other documents of the teacher', async () => {
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
      niveauId: await shop.aClass('primary-school', '6e année'),
      price: dinars(10),
      priceDiscount: dinars(7.5),
      uploadedAt,
    })
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await expect.poll(() => page.locator('h1').innerText()).toBe(document.title)
    await expect.poll(() => page.locator('.details__cover .cover').isVisible()).toBe(true)
    await expect.poll(() => page.locator('main').innerText()).toContain('Parts et nombres')
    const buy = await page.locator('.buy').innerText()
    for (const shown of [of('10.00'), of('7.50'), `−${percentText(locale, 25)}`])
      expect(buy).toContain(shown)
    const facts = (await page.locator('.facts-list').allInnerTexts()).join()
    for (const key of ['matiere', 'classe', 'category', 'type', 'released', 'sales'] as const) {
      expect(facts).toContain(uiText(locale, `document:${key}`))
    }
    const released = formatDate(locale, uploadedAt.toISOString())
    for (const shown of ['Calcul', '6e année', 'سلسلة تمارين', released, '0']) {
      expect(facts).toContain(shown)
    }
    await expect
      .poll(() => page.locator('[data-average]').innerText())
      .toBe(uiText(locale, 'common:rating.none'))
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
    await link(page, locale, 'document:continue').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/shop'))
  })

  test('a teacher’s page has the name, the figures, the bio and contact details', async () => {
    const teacher = await shop.aTeacher({
      firstName: 'Rim',
      lastName: `Figures ${locale}`,
      bio: 'Vingt ans de craie',
    })
    const contactEmail = `rim-${locale}@karras.test`
    await shop.database.kysely
      .updateTable('teachers')
      .set({ contactEmail })
      .where('id', '=', teacher.id)
      .execute()
    const document = await shop.aDocument({ teacherId: teacher.id, price: dinars(2) })
    await shop.aDocument({ teacherId: teacher.id })
    const parent = await shop.aCustomer({ balance: dinars(5) })
    await shop.buys(parent, [document.id])
    const rating = await shop.send(parent, 'POST', '/ratings', {
      user: { id: parent.id },
      teacher: { id: teacher.id },
      rating: 4,
      comment: '',
      createdAt: new Date().toISOString(),
    })
    expect(rating.status).toBeLessThan(300)
    const { page } = await newVisitor(shop.url, { locale, viewport })
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
        `${uiText(locale, 'teacher:sales')} 1`,
        `${uiText(locale, 'teacher:books')} 2`,
        expect.stringContaining(of('4.0')),
      ])
    await expect.poll(() => page.locator('dl .stars').getAttribute('data-count')).toBe('(1)')
    await expect.poll(() => page.locator('.teacher__bio').innerText()).toBe('Vingt ans de craie')
    const contact = await page.locator('.teacher__contact').innerText()
    expect(contact).toContain(`rim-${locale}@karras.test`)
    expect(contact).toContain(EXAMPLE_FACTS.contact.phones[0])
  })
})
