import type { Page, Route } from 'playwright'
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { atOffice, loggedIn, untilHydrated } from '../../support/browser.ts'
import { writeToShop } from '../../support/chat-page.ts'
import { untilTablesLoaded } from '../../support/office-tables.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('the common inbox', ({ who, locale, viewport }, test) => {
  const text = (key: KeyIn<'office-conversations'>) => uiText(locale, `office-conversations:${key}`)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const isPhone = viewport.width < 768
  const message = (page: Page, content: string) => page.locator('.message', { hasText: content })
  const answer = async (page: Page, content: string) => {
    await page.locator('.composer__text').fill(content)
    await page.locator('.composer button[type="submit"]').click()
  }
  const firstName = `Rahma${locale}`
  const aCustomer = () => shop.aCustomer({ firstName, lastName: `Inbox ${who}` })

  test('a conversation is found, read and answered, and its customer sees it live', async () => {
    const customer = await aCustomer()
    const roomId = await writeToShop(shop, customer, 'هل من جديد؟')
    const admin = await shop.anOfficeAdministrator({ firstName: 'Nadia', lastName: 'Gharbi' })
    const visitor = await atOffice(shop.url, admin, { locale, viewport, allowed: [/ERR_FAILED/] })
    const other = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = visitor
    await page.goto(`${pathIn(locale, '/office/conversations')}?q=${customer.email}`)
    await untilHydrated(page)
    const row = page.locator('.inbox__room', { hasText: firstName })
    await row.getByText(text('page.waits')).waitFor()
    await untilTablesLoaded(page)
    await row.click()
    await message(page, 'هل من جديد؟').waitFor()
    await page.getByText(text('open.free')).waitFor()
    await untilTablesLoaded(page)
    expect(new URL(page.url()).searchParams.get('room')).toBe(roomId)

    await button(page, text('canned.open')).click()
    await page.locator('.canned__choice').first().waitFor()
    await button(page, text('canned.add')).click()
    await page.locator('[name^="name."]').first().waitFor()
    await page.locator('[name="text.fr"]').fill('Bonjour {{nom}}')
    await button(page, text('canned.save')).click()
    await expect.poll(() => page.locator('.field__error').count()).toBe(3)
    const name = `جواب ${locale} ${customer.id}`
    await page.locator('[name="name.ar"]').fill(name)
    await page.locator('[name="text.ar"]').fill('مرحبا {{name}}')
    await page.locator('[name="text.fr"]').fill('Bonjour {{name}}')
    await button(page, text('canned.save')).click()
    await page.locator('.canned__name', { hasText: name }).waitFor()
    await button(page, text('canned.back')).click()
    await page.locator('.canned__choice', { hasText: name }).click()
    const field = page.locator('.composer__text')
    await expect.poll(() => field.inputValue()).toContain(firstName)
    expect(await field.inputValue()).not.toContain('{{')

    await other.page.goto(`${pathIn(locale, '/chat')}?room=${roomId}`)
    await message(other.page, 'هل من جديد؟').waitFor()
    await answer(page, 'نعم، غدا.')
    await page.getByText(text('open.yours')).waitFor()
    await message(other.page, 'نعم، غدا.').waitFor()
    await expect
      .poll(() => message(other.page, 'نعم، غدا.').locator('.message__author').count())
      .toBe(1)
    await writeToShop(shop, customer, 'شكرا جزيلا')
    await message(page, 'شكرا جزيلا').waitFor()

    // Written while offline, the message survives a reload and is sent once.
    await page.route('**/answers', (route) => route.abort())
    await answer(page, 'من دون خطّ')
    await page.locator('.message--waiting').waitFor()
    await field.fill('مسوّدة')
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe('مسوّدة')
    await page.locator('.message--waiting').waitFor()
    await page.unroute('**/answers')
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await message(other.page, 'من دون خطّ').waitFor()
    await page.locator('.message--waiting').waitFor({ state: 'detached' })
    await expect.poll(() => message(page, 'من دون خطّ').count()).toBe(1)

    if (isPhone) {
      await button(page, uiText(locale, 'chat:page.room.back')).click()
      await row.waitFor()
      await expect.poll(() => page.locator('.composer').isVisible()).toBe(false)
    }
    await Promise.all([visitor.leave(), other.leave()])
  })

  test('the second administrator is told who was first, and takes over', async () => {
    const customer = await aCustomer()
    const roomId = await writeToShop(shop, customer, 'Bonjour')
    const first = await shop.anOfficeAdministrator({ firstName: 'Sami', lastName: 'Trabelsi' })
    const admin = await shop.anOfficeAdministrator()
    const allowed = [/status of 409/]
    const { page } = await atOffice(shop.url, admin, { locale, viewport, allowed })
    await page.goto(`${pathIn(locale, '/office/conversations')}?room=${roomId}`)
    await message(page, 'Bonjour').waitFor()
    // The other one is a moment ahead: this page still shows an unassigned conversation.
    const address = `/office/admin/conversations/${roomId}/take`
    const otherTakesFirst = async (route: Route) => {
      await shop.send(first, 'POST', address, { from: null })
      await route.continue()
    }
    await page.route(`**${address}`, otherTakesFirst, { times: 1 })
    await button(page, text('open.take')).click()
    await page.locator('.inbox__hold .alert', { hasText: 'Sami Trabelsi' }).waitFor()
    await button(page, text('open.takeOver')).click()
    await page.getByRole('dialog').locator('.button--primary').click()
    await page.getByText(text('open.yours')).waitFor()
    await button(page, text('open.close')).click()
    await page.getByRole('dialog').locator('.button--primary').click()
    await page.getByRole('status').getByText(text('open.done.close')).waitFor({ state: 'attached' })
    await expect.poll(() => button(page, text('open.close')).count()).toBe(0)
  })
})
