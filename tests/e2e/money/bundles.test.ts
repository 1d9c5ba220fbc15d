// Documents at one price: a teacher offers a pair, a parent buys both, another owns one and buys the rest.
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { atOffice, loggedIn, untilHydrated } from '../../support/browser.ts'
import { atDocuments, confirm, lines, openCart } from '../../support/checkout.ts'
import { PATIENCE } from '../../support/patience.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('documents at one price', ({ locale, viewport }, test) => {
  const text = (key: Parameters<typeof uiText>[1]) => uiText(locale, key)
  const press = (page: Page, key: Parameters<typeof uiText>[1]) =>
    page.getByRole('button', { name: text(key), exact: true }).click()

  /** A paper and its correction of a teacher, at 6 and 4 dinars. */
  async function aPair(name: string) {
    const teacher = await shop.anOfficeTeacher()
    const { teacherId } = teacher
    const of = (title: string, price: number) =>
      shop.aDocument({ title: `${title} ${name} ${locale}`, price: dinars(price), teacherId })
    return { teacher, paper: await of('Devoir', 6), correction: await of('Corrigé', 4) }
  }

  async function openBundle(page: Page, id: number) {
    const offer = page.locator('.details__bundle')
    await expect
      .poll(async () => {
        await page.goto(shop.url + inLanguage(locale, `/shop-details/${id}`))
        return await offer.count()
      }, PATIENCE)
      .toBe(1)
    return offer
  }

  /** Pays the cart from the wallet; returns what is left. */
  async function payCart(page: Page, buyer: { id: number }) {
    await confirm(page, locale, 'wallet')
    await atDocuments(page, locale)
    const { balance } = await shop.database.kysely
      .selectFrom('accounts')
      .select('balance')
      .where('userId', '=', buyer.id)
      .executeTakeFirstOrThrow()
    return balance
  }

  test('a teacher sets it for a paper and its correction, and a parent buys both', async () => {
    const { teacher, paper, correction } = await aPair('Zitouna')
    const { teacherId } = teacher
    await shop.aDocument({ title: `Résumé Zitouna ${locale}`, price: dinars(3), teacherId })
    const { page: desk } = await atOffice(shop.url, teacher, { locale, viewport })
    const query = `?document=${correction.id}&with=${paper.id}`
    await desk.goto(shop.url + inLanguage(locale, '/office/bundles') + query)
    // One tap from the correction's form: both are chosen already.
    const form = desk.locator('.bundle-form')
    const row = (title: string) => form.locator('.bundle-form__row').filter({ hasText: title })
    await row('Devoir').waitFor()
    await row('Corrigé').waitFor()
    // A third one is found by its title, and not taken after all.
    await form.getByRole('searchbox').fill(`Résumé Zitouna ${locale}`)
    await press(desk, 'office-bundles:form.search')
    await form.getByRole('checkbox').first().check()
    await row('Résumé').getByRole('button').press('Enter')
    await expect.poll(() => row('Résumé').count()).toBe(0)
    await form.locator('[name=price]').fill('10')
    await press(desk, 'office-bundles:list.fresh.submit')
    await form.getByText(text('office-bundles:price.notCheaper')).waitFor()
    await form.locator('[name=price]').fill('8')
    await form.locator('strong').getByText('2').waitFor()
    await press(desk, 'office-bundles:list.fresh.submit')
    await desk.getByText(text('office-bundles:list.fresh.done')).waitFor()
    await desk.getByText(text('office-bundles:list.states.selling')).first().waitFor()

    const buyer = await shop.aCustomer({ balance: dinars(20) })
    const { page } = await loggedIn(shop.url, buyer, { locale, viewport })
    const offer = await openBundle(page, paper.id)
    await offer.getByText(text('document:bundle.both')).waitFor()
    // The press that loads the script, whose button is gone with it.
    await press(page, 'document:bundle.addBoth')
    const added = page.getByText(text('document:bundle.added'))
    await added.waitFor()
    await expect.poll(() => added.evaluate((box) => box === document.activeElement)).toBe(true)
    await openCart(page, locale)
    expect(await lines(page).count()).toBe(2)
    await page.getByText(text('checkout:items.bundle')).first().waitFor()
    expect(await payCart(page, buyer)).toBe(dinars(12))
  })

  test('a parent who owns one buys the rest at its share, which the page says', async () => {
    const { teacher, paper, correction } = await aPair('Kasbah')
    const documents = [paper, correction]
    await shop.aBundle({ documents, price: dinars(8), teacherId: teacher.teacherId })
    const buyer = await shop.aCustomer({ balance: dinars(20) })
    await shop.buys(buyer, [paper.id])
    const { page } = await loggedIn(shop.url, buyer, { locale, viewport })
    // The page knows what is owned from its list.
    await page.goto(shop.url + inLanguage(locale, '/my-documents'))
    await page.getByText('Kasbah').first().waitFor()
    const offer = await openBundle(page, correction.id)
    // At the first touch of the page, wherever it is.
    await page.locator('h1').click()
    await offer.getByText(text('document:bundle.owned')).waitFor()
    expect(await offer.locator('strong .price').textContent()).toContain('3')
    await press(page, 'document:bundle.addRest')
    await page.getByText(text('document:bundle.added')).waitFor()
    await openCart(page, locale)
    // 20 without 6 for the paper and 3.20 of the 8 for its correction.
    expect(await payCart(page, buyer)).toBe(dinars(10.8))

    // An owner of all of them is offered nothing.
    const owned = await openBundle(page, paper.id)
    await page.locator('h1').click()
    await owned.waitFor({ state: 'detached' })
  })

  test('an administrator offers documents of two teachers, who agree; one takes it back', async () => {
    const { teacher: one, paper } = await aPair('Halfaouine')
    const { teacher: other, paper: second } = await aPair('Bardo')
    const administrator = await shop.anOfficeAdministrator()
    const { page: desk } = await atOffice(shop.url, administrator, { locale, viewport })
    await desk.goto(shop.url + inLanguage(locale, '/office/shared-bundles'))
    await untilHydrated(desk)
    await press(desk, 'office-bundles:shared.make')
    const form = desk.locator('.bundle-form')
    for (const name of ['Halfaouine', 'Bardo']) {
      await form.getByRole('searchbox').fill(`Devoir ${name} ${locale}`)
      await press(desk, 'office-bundles:form.search')
      const found = form.locator('.choice-card').filter({ hasText: name })
      await found.getByRole('checkbox').first().check()
    }
    await form.locator('[name=price]').fill('9')
    await press(desk, 'office-bundles:shared.fresh.submit')
    await desk.getByText(text('office-bundles:shared.fresh.done')).waitFor()
    await desk.getByText(text('office-bundles:shared.states.asking')).first().waitFor()

    for (const teacher of [one, other]) {
      const { page } = await atOffice(shop.url, teacher, { locale, viewport })
      await page.goto(shop.url + inLanguage(locale, '/office'))
      await page.locator('.waits a[href$="/office/bundles"]').click()
      await page.getByRole('button', { name: text('office-bundles:asked.agree') }).click()
      await page.getByText(text('office-bundles:asked.agreed')).waitFor()
    }
    const buyer = await shop.aCustomer({ balance: dinars(20) })
    const { page } = await loggedIn(shop.url, buyer, { locale, viewport })
    await openBundle(page, second.id)
    await press(page, 'document:bundle.addBoth')
    await page.getByText(text('document:bundle.added')).waitFor()
    await openCart(page, locale)
    expect(await payCart(page, buyer)).toBe(dinars(11))

    const { page: withdrawn } = await atOffice(shop.url, one, { locale, viewport })
    await withdrawn.goto(shop.url + inLanguage(locale, '/office/bundles'))
    await withdrawn.getByRole('button', { name: text('office-bundles:asked.withdraw') }).click()
    await withdrawn
      .getByRole('dialog')
      .getByRole('button', { name: text('office-bundles:asked.withdraw') })
      .click()
    await withdrawn.getByText(text('office-bundles:asked.refused')).waitFor()
    await expect
      .poll(async () => {
        await page.goto(shop.url + inLanguage(locale, `/shop-details/${paper.id}`))
        return await page.locator('.details__bundle').count()
      }, PATIENCE)
      .toBe(0)
  })
})
