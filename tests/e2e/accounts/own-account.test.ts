import { expect } from 'vitest'
import { logIn } from '../../../src/contract/accounts.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { dinars } from '../../../src/rules/money.ts'
import { atOffice, loggedIn, untilHydrated } from '../../support/browser.ts'
import { PASSWORD, type Person } from '../../support/people.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()
const RIB = '10006035183598478831'

/** Logs a person in on another device. */
async function elsewhere({ email }: Person): Promise<void> {
  const body = JSON.stringify({ username: email, password: PASSWORD })
  const headers = { 'content-type': 'application/json', 'user-agent': 'Firefox (Windows)' }
  const answer = await fetch(`${shop.url}/api${logIn.path}`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

journeys('the page of one’s account', ({ locale, viewport }, test) => {
  const options = { locale, viewport }
  const path = pathIn(locale, '/account')

  test('a customer takes the data along', async () => {
    const customer = await shop.aCustomer({ balance: dinars(5) })
    const { page } = await loggedIn(shop.url, customer, options)
    await page.goto(path)
    await button(page, locale, 'own-account:leaving.pack.submit').click()
    await page.getByText(uiText(locale, 'own-account:leaving.pack.making')).waitFor()
    const ready = button(page, locale, 'own-account:leaving.pack.download')
    await ready.waitFor()
    const saving = page.waitForEvent('download')
    await ready.click()
    expect((await saving).suggestedFilename()).toBe('my-data.zip')
  })

  test('a customer ends a device, asks to be deleted, and stays', async () => {
    const customer = await shop.aCustomer({ balance: dinars(5) })
    await elsewhere(customer)
    const { page } = await loggedIn(shop.url, customer, options)
    await page.goto(path)
    const device = page.locator('li', { hasText: 'Firefox, Windows' })
    await device.getByRole('button').click()
    await device.waitFor({ state: 'detached' })

    await page.getByText(uiText(locale, 'own-account:leaving.remove.open')).click()
    const submit = button(page, locale, 'own-account:leaving.remove.submit')
    await submit.click()
    await page.locator('.field__error').first().waitFor()
    await page.getByText(uiText(locale, 'own-account:leaving.remove.choices.return')).click()
    await page.getByLabel(uiText(locale, 'own-account:leaving.remove.holder')).fill('Amal')
    await page.getByLabel(uiText(locale, 'own-account:leaving.remove.rib')).fill(RIB)
    await page.locator('details[open] input[name=password]').fill(PASSWORD)
    await submit.click()
    await button(page, locale, 'own-account:leaving.remove.keep').click()
    await page.getByText(uiText(locale, 'own-account:leaving.remove.open')).waitFor()
    const { kysely } = shop.database
    const waiting = kysely.selectFrom('accountDeletions').where('userId', '=', customer.id)
    expect(await waiting.selectAll().execute()).toEqual([])
  })

  test('an administrator asks for another e-mail in the office, and stops it', async () => {
    const admin = await shop.anOfficeAdministrator()
    const { page } = await atOffice(shop.url, admin, { ...options, allowed: [/status of 403/] })
    await page.goto(pathIn(locale, '/office/security'))
    const part = page.locator('[aria-labelledby=contacts]')
    await part.getByText(admin.email).waitFor()
    const text = textsIn(locale, 'own-account:contacts')
    await part.getByText(text.email.open, { exact: true }).click()
    const form = part.locator('details[open]')
    const submit = form.getByRole('button', { name: text.email.submit })
    await submit.click()
    await expect.poll(() => form.locator('.field__error').count()).toBe(2)
    const address = `other-${locale}@karras.test`
    await form.getByLabel(text.email.label).fill(address)
    await form.locator('input[name=password]').fill('not it')
    await submit.click()
    await form.locator('.alert--error').waitFor()
    await form.locator('input[name=password]').fill(PASSWORD)
    await submit.click()
    await part.getByText(address).waitFor()
    await part.getByRole('button', { name: text.stop }).click()
    await part.getByText(text.email.open, { exact: true }).waitFor()
  })

  test('the office deletes for somebody at the counter, and returns the money', async () => {
    const customer = await shop.aCustomer({ balance: dinars(5) })
    const admin = await shop.anOfficeAdministrator()
    const { page } = await atOffice(shop.url, admin, options)
    await page.goto(`${pathIn(locale, '/office/person')}?id=${customer.id}`)
    await untilHydrated(page)
    const log = page.getByRole('heading', { name: uiText(locale, 'office-people:person.log') })
    await log.scrollIntoViewIfNeeded()
    // It speaks as the office, not as the owner.
    await page.getByText(uiText(locale, 'own-account:leaving.remove.byOffice.open')).click()
    await page.getByText(uiText(locale, 'own-account:leaving.remove.byOffice.give-up')).waitFor()
    await page.getByText(uiText(locale, 'own-account:leaving.remove.choices.return')).click()
    const holder = uiText(locale, 'own-account:leaving.remove.holder')
    await page.getByLabel(holder, { exact: true }).fill('Amal')
    await page.getByLabel(uiText(locale, 'own-account:leaving.remove.rib')).fill(RIB)
    await button(page, locale, 'own-account:leaving.remove.submit').click()
    await page.getByLabel(uiText(locale, 'office-people:returning.reference')).fill('VIR 7')
    await page
      .getByLabel(uiText(locale, 'office-people:returning.reason'))
      .fill('Demandé au comptoir')
    await page.locator('#return').locator('..').locator('[type=submit]').click()
    await page.locator('#return').waitFor({ state: 'detached' })
    expect(await shop.balanceOf(customer)).toBe(0)
    await page.locator('.person__list', { hasText: 'VIR 7' }).waitFor()
  })

  test('a teacher finds the same in the office, where mails about it lead', async () => {
    const teacher = await shop.anOfficeTeacher()
    await elsewhere(teacher)
    const { page } = await atOffice(shop.url, teacher, options)
    await page.goto(`${pathIn(locale, '/office/profile')}#own-data`)
    const device = page.locator('li', { hasText: 'Firefox, Windows' })
    await device.getByRole('button').click()
    await device.waitFor({ state: 'detached' })
    await page.getByText(uiText(locale, 'own-account:leaving.remove.open')).click()
    await page.locator('input[name=password]').fill(PASSWORD)
    await button(page, locale, 'own-account:leaving.remove.submit').click()
    await button(page, locale, 'own-account:leaving.remove.keep').click()
    await page.getByText(uiText(locale, 'own-account:leaving.remove.open')).waitFor()
    await button(page, locale, 'own-account:leaving.pack.submit').click()
    await page.getByText(uiText(locale, 'own-account:leaving.pack.making')).waitFor()
  })
})
