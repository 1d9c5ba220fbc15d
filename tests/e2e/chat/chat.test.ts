// @everyday: a customer and the shop write to each other.

import { expect, test } from 'vitest'
import { DESKTOP, loggedIn, newVisitor } from '../../support/browser.ts'
import {
  aPair,
  call,
  input,
  openChat,
  sendMessage,
  shownMessages,
  storedMessages,
  writeMessage,
} from '../../support/chat-page.ts'
import { tabTo } from '../../support/keyboard.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a conversation', ({ locale, viewport }, test) => {
  test('starts with the picker; both sides write and read at once, and unread messages are counted', async () => {
    const customer = await shop.aCustomer({ firstName: 'Amal' })
    const administrator = await shop.anAdministrator({ firstName: 'Sonia' })
    const known = (await call(shop, customer, 'GET', '/users/admins')) as {
      id: number
      username: string
    }[]
    const name = known.find(({ id }) => id === administrator.id)?.username ?? ''

    const one = await loggedIn(shop.url, customer, { locale, viewport })
    await openChat(one.page, locale)
    await one.page.getByText(uiText(locale, 'chat:page.list.empty')).waitFor()
    await button(one.page, locale, 'chat:page.list.new').click()
    const picker = one.page.getByRole('dialog', { name: uiText(locale, 'chat:page.picker.title') })
    await picker.getByRole('button', { name, exact: true }).click()
    await one.page.getByText(uiText(locale, 'chat:page.room.empty')).waitFor()
    await expect.poll(() => one.page.locator('.chat__open h2').innerText()).toBe(name)
    const send = button(one.page, locale, 'chat:page.room.send')
    await input(one.page).fill(' \n ')
    await expect.poll(() => send.isDisabled()).toBe(true)
    await writeMessage(one.page, locale, ' السلام عليكم ')
    await expect.poll(() => input(one.page).inputValue()).toBe('')
    await one.page.locator('.message--sent:not(.message--waiting)').waitFor()

    const other = await loggedIn(shop.url, administrator, { locale: 'fr', viewport: DESKTOP })
    await openChat(other.page, 'fr')
    await expect.poll(() => shownMessages(other.page)).toEqual(['السلام عليكم'])
    await expect.poll(() => other.page.locator('.message--sent').count()).toBe(0)
    await writeMessage(other.page, 'fr', 'Bonjour !')
    await expect.poll(() => shownMessages(one.page)).toEqual(['السلام عليكم', 'Bonjour !'])

    // Unread while the other one looks at another conversation.
    const second = await shop.aCustomer({ firstName: 'Ines' })
    await call(shop, second, 'POST', `/room?user1Id=${second.id}&user2Id=${administrator.id}`)
    await sendMessage(shop, second, administrator, 'Et moi ?')
    await other.page.reload()
    await expect.poll(() => shownMessages(other.page)).toEqual(['السلام عليكم', 'Bonjour !'])
    const badge = other.page.locator('.chat__room', { hasText: 'Et moi ?' }).locator('.count')
    await badge.waitFor()
    await writeMessage(one.page, locale, 'ثانية')
    await expect.poll(() => shownMessages(other.page)).toHaveLength(3)
    await other.page.locator('.chat__room', { hasText: 'Et moi ?' }).click()
    await expect.poll(() => shownMessages(other.page)).toEqual(['Et moi ?'])
    await badge.waitFor({ state: 'detached' })
    await writeMessage(one.page, locale, 'ثالثة')
    await other.page.locator('.chat__room', { hasText: 'ثالثة' }).locator('.count').waitFor()
    await other.page.reload()
    await other.page.locator('.chat__room', { hasText: 'Et moi ?' }).waitFor()
    await expect.poll(() => badge.count()).toBe(0)
  })

  test('older messages load on scrolling up and keep the read position', async () => {
    const { customer, administrator, room } = await aPair(shop)
    const { kysely } = shop.database
    const rows = await kysely
      .insertInto('chatMessages')
      .values(
        Array.from({ length: 120 }, (_, at) => ({
          roomId: room,
          senderId: administrator.id,
          receiverId: customer.id,
          content: `message ${at + 1}`,
          clientId: null,
        })),
      )
      .returning('id')
      .execute()
    await kysely
      .updateTable('chatRooms')
      .set({ lastMessageId: Math.max(...rows.map(({ id }) => Number(id))) })
      .where('id', '=', room)
      .execute()
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await openChat(page, locale)
    await expect.poll(() => shownMessages(page)).toHaveLength(50)
    const box = page.locator('.chat__scroll')
    const fromEnd = () => box.evaluate((el) => el.scrollHeight - el.scrollTop - el.clientHeight)
    await expect.poll(() => fromEnd()).toBeLessThan(4)
    const topOf = () =>
      page.getByText('message 75', { exact: true }).evaluate((el) => el.getBoundingClientRect().top)
    await box.evaluate((el) => {
      el.scrollTop = 10
    })
    await expect.poll(() => shownMessages(page)).toHaveLength(100)
    const before = await topOf()
    await box.evaluate((el) => {
      el.scrollTop = 10
    })
    const moved = await topOf()
    expect(Math.abs(moved - before)).toBeGreaterThan(100)
    await expect.poll(() => shownMessages(page)).toHaveLength(120)
    expect(Math.abs((await topOf()) - moved)).toBeLessThan(60)
    expect((await shownMessages(page))[0]).toBe('message 1')

    // A message arrives meanwhile: the scroll position stays, and a notice appears.
    const place = await topOf()
    await sendMessage(shop, administrator, customer, 'new')
    const newest = button(page, locale, 'chat:page.room.newest')
    await newest.waitFor()
    expect(Math.abs((await topOf()) - place)).toBeLessThan(4)
    await newest.click()
    await expect.poll(fromEnd).toBeLessThan(4)
    await newest.waitFor({ state: 'detached' })
  })

  test('without script there is no loading state, only a notice', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, javaScriptEnabled: false })
    await openChat(page, locale)
    await expect
      .poll(() => page.locator('main noscript').textContent())
      .toContain(uiText(locale, 'account:noScript'))
    await expect
      .poll(() =>
        page.locator('main').getByText(uiText(locale, 'chat:page.list.loading')).isVisible(),
      )
      .toBe(false)
    for (const path of ['/chat', '/checkout', '/wishlist', '/my-documents', '/order']) {
      await openChat(page, locale, path)
      await expect
        .poll(() => page.locator('main .spinner:visible').count(), { message: path })
        .toBe(0)
      await expect
        .poll(() => page.locator('main [aria-busy=true]:visible').count(), { message: path })
        .toBe(0)
    }
  })
})

test('on a phone the browser’s back button leads from the conversation to the list, and out', async () => {
  const { customer, administrator } = await aPair(shop)
  const { id } = await shop.anAdministrator()
  await call(shop, customer, 'POST', `/room?user1Id=${customer.id}&user2Id=${id}`)
  await sendMessage(shop, administrator, customer, 'hello')
  const { page } = await loggedIn(shop.url, customer, { at: '/shop' })
  await page.goto('/chat')
  await page.locator('.chat--room').waitFor()
  await expect.poll(() => page.locator('.chat__list').isVisible()).toBe(false)
  await button(page, 'ar', 'chat:page.room.back').click()
  await page.locator('.chat--list').waitFor()
  await expect.poll(() => page.locator('.chat__open').isVisible()).toBe(false)
  await page.locator('.chat__room').nth(1).click()
  await page.locator('.chat--room').waitFor()
  await page.getByText(uiText('ar', 'chat:page.room.empty')).waitFor()
  await page.goBack()
  await page.locator('.chat--list').waitFor()
  await page.goForward()
  await page.locator('.chat--room').waitFor()
  await page.reload()
  await page.getByText(uiText('ar', 'chat:page.room.empty')).waitFor()
  await page.goBack()
  await page.locator('.chat--list').waitFor()
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/shop')
})

test('the Enter that ends a composition sends nothing', async () => {
  const { customer, administrator, room } = await aPair(shop)
  await sendMessage(shop, administrator, customer, 'hello')
  const { page } = await loggedIn(shop.url, customer, { locale: 'fr', viewport: DESKTOP })
  await page.goto('/fr/chat')
  await input(page).fill('かな')
  // Chromium says that it is composing, Safari only by the code.
  for (const end of [{ isComposing: true }, { keyCode: 229 }]) {
    const event = { key: 'Enter', bubbles: true, cancelable: true, ...end }
    const isLeftAlone = await input(page).evaluate(
      (area, given) => area.dispatchEvent(new KeyboardEvent('keydown', given)),
      event,
    )
    expect(isLeftAlone).toBe(true)
  }
  expect(await input(page).inputValue()).toBe('かな')
  await input(page).press('Enter')
  await expect.poll(() => storedMessages(shop, customer, room)).toEqual(['hello', 'かな'])
})

test('by keyboard alone: start, write on two lines, send, scroll', async () => {
  const { customer, administrator, room } = await aPair(shop)
  await sendMessage(shop, administrator, customer, 'hello')
  const { page } = await loggedIn(shop.url, customer, { locale: 'fr', viewport: DESKTOP })
  await page.goto('/fr/chat')
  await input(page).waitFor()
  const reach = (selector: string) => tabTo(page, page.locator(selector).first())
  await reach('.chat__new')
  await page.keyboard.press('Enter')
  await page.locator('.chat__admin').first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('chat__new')
  await reach('.chat__room')
  await page.keyboard.press('Enter')
  await reach('.chat__scroll')
  await reach('.composer__text')
  await page.keyboard.type('one')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('two')
  await page.keyboard.press('Enter')
  await expect.poll(() => storedMessages(shop, customer, room)).toEqual(['hello', 'one\ntwo'])
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className))
    .toBe('composer__text')
})
