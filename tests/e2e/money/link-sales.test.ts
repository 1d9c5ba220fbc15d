// A teacher's link: who comes by it, and what they buy in that tab, is in the teacher's figures.
import { expect } from 'vitest'
import { priceParts } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { LINK_KEY } from '../../../src/rules/storage-keys.ts'
import { atOffice, loggedIn } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { buyNow, named } from '../../support/purchase-modal.ts'
import { button, link as linkNamed } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a teacher’s link', ({ locale, viewport }, test) => {
  test('counts a visit once, and what is bought in its tab', async () => {
    const teacher = await shop.anOfficeTeacher()
    const { page: desk } = await atOffice(shop.url, teacher, { locale, viewport })
    await desk.goto(pathIn(locale, '/office/earnings'))
    await desk.getByText(uiText(locale, 'office-earnings:earnings.links.none')).waitFor()
    await linkNamed(desk, locale, 'office-earnings:earnings.links.choose').click()
    const name = `cours-${locale}`
    await desk.locator('[name="link"]').fill(name)
    await button(desk, locale, 'office-profile:link.submit').click()
    await desk.getByText(uiText(locale, 'office-profile:link.done')).waitFor()

    const { teacherId } = teacher
    const [first, second] = [
      await shop.aDocument({ teacherId, title: 'الكسور', price: dinars(8) }),
      await shop.aDocument({ teacherId, title: 'Fractions', price: dinars(5) }),
    ]
    // As the robot of a messenger, which runs no script.
    const preview = await fetch(`${shop.url}/t/${name}`)
    expect(new URL(preview.url).searchParams.get('link')).toBe(name)
    const withCode = await fetch(`${shop.url}/t/${name}?code=ete-26`)
    expect(new URL(withCode.url).searchParams.get('code')).toBe('ETE-26')

    const parent = await shop.aCustomer({ balance: dinars(20) })
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    const visits = () =>
      shop.database.kysely.selectFrom('linkVisits').selectAll().where('name', '=', name).execute()
    await page.goto(`/t/${name}`)
    await expect.poll(visits, PATIENCE).toMatchObject([{ visits: 1 }])
    await page.reload()
    await page.goto(`/t/${name}`)
    const modal = await buyNow(page, locale, first.id)
    await named(modal, locale, 'modal.payWallet').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))
    // A purchase a day later is none of the link's.
    await page.evaluate((key) => {
      const [known, at] = JSON.parse(sessionStorage.getItem(key) ?? '')
      sessionStorage.setItem(key, JSON.stringify([known, at - 86_400_000]))
    }, LINK_KEY)
    const later = await buyNow(page, locale, second.id)
    await named(later, locale, 'modal.payWallet').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))

    await desk.goto(pathIn(locale, '/office/earnings'))
    const rows = desk.locator('section', {
      has: desk.getByRole('heading', {
        name: uiText(locale, 'office-earnings:earnings.links.heading'),
      }),
    })
    await rows.getByText(`/t/${name}`).first().waitFor()
    await rows.locator('summary').click()
    for (const row of [rows.locator('tbody tr').first(), rows.locator('details tbody tr')]) {
      const cells = await row.locator('td').allInnerTexts()
      expect(cells.slice(-3, -1).map((text) => text.trim())).toEqual(['1', '1'])
      expect(cells.at(-1)).toContain(priceParts(locale, dinars(5.6)).number)
    }
    expect(await visits()).toMatchObject([{ visits: 1 }])
  })
})
