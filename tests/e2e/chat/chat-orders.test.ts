import { brotliCompressSync } from 'node:zlib'
import type { Request } from 'playwright'
import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { roomId } from '../../../src/rules/room.ts'
import { DESKTOP, loggedIn, newVisitor, PHONE, untilHydrated } from '../../support/browser.ts'
import {
  aPair,
  CUT_ERRORS,
  call,
  input,
  openChat,
  sendMessage,
  shownMessages,
  storedMessages,
  writeMessage,
} from '../../support/chat-page.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { logIn } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a conversation', ({ locale, viewport }, test) => {
  test('asks about a document: through the log-in, with its card on both sides', async () => {
    const { customer, administrator } = await aPair(shop)
    const document = await shop.aDocument({ title: `Suites numériques ${locale}` })
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await openChat(page, locale, `/shop-details/${document.id}`)
    await page.getByRole('link', { name: uiText(locale, 'chat:ask') }).click()
    await page.waitForURL(/\/login\?returnTo=/)
    await logIn(page, locale, customer.email)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/chat'))
    await page.locator('.chat__about').getByText(document.title).waitFor()
    await writeMessage(page, locale, 'Avec corrigé ?')
    await page.locator('.message--sent .chat-document').waitFor()
    await page.locator('.chat__about').waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('document=')

    const other = await loggedIn(shop.url, administrator, { locale: 'fr', viewport: DESKTOP })
    await openChat(other.page, 'fr')
    const card = other.page.locator('.message .chat-document')
    await card.waitFor()
    await expect.poll(() => card.innerText()).toContain(document.title)
    await expect
      .poll(() => shownMessages(other.page))
      .toEqual([expect.stringContaining('Avec corrigé ?')])
    await card.click()
    await other.page.waitForURL((url) => url.pathname === `/fr/shop-details/${document.id}`)
  })

  test('a custom order is prepared in the conversation with the shop, and one click sends it', async () => {
    const { customer } = await aPair(shop)
    await shop.anAdministrator()
    const visitor = await loggedIn(shop.url, customer, { locale, viewport, allowed: CUT_ERRORS })
    const { page } = visitor
    const order = async (details: string) => {
      await page.getByRole('button', { name: uiText(locale, 'chat:order.open') }).click()
      const dialog = page.getByRole('dialog', { name: uiText(locale, 'chat:order.title') })
      await expect
        .poll(() => dialog.getByLabel(uiText(locale, 'chat:order.details')).inputValue())
        .toBe('')
      await dialog.getByRole('button', { name: uiText(locale, 'chat:order.submit') }).click()
      await dialog.getByText(uiText(locale, 'chat:order.required')).waitFor()
      await dialog
        .getByLabel(uiText(locale, 'chat:order.type'))
        .selectOption(uiText(locale, 'catalogue:categories.exams'))
      await dialog.getByLabel(uiText(locale, 'chat:order.details')).fill(details)
      await dialog.getByRole('button', { name: uiText(locale, 'chat:order.submit') }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    const [inbox] = (await call(shop, customer, 'GET', '/users/admins')) as {
      id: number
      username: string
    }[]
    const room = roomId(customer.id, inbox?.id ?? 0)
    const text = (details: string) =>
      uiText(locale, 'chat:order.message')
        .replace('{{type}}', uiText(locale, 'catalogue:categories.exams'))
        .replace('{{details}}', details)
    const send = page.getByRole('button', { name: uiText(locale, 'chat:page.room.send') })
    const isReady = page.getByText(uiText(locale, 'chat:page.room.ready'))

    await openChat(page, locale, '/shop')
    await order('algèbre')
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/chat'))
    await isReady.waitFor()
    await expect.poll(() => input(page).inputValue()).toBe(text('algèbre'))
    await expect.poll(() => page.locator('.chat__open h2').innerText()).toBe(inbox?.username)
    expect(await storedMessages(shop, customer, room)).toEqual([])
    // No further input is needed: the button has the focus.
    await expect.poll(() => hasFocus(send)).toBe(true)
    await page.reload()
    await isReady.waitFor()
    await send.click()
    await expect.poll(() => storedMessages(shop, customer, room)).toEqual([text('algèbre')])
    await isReady.waitFor({ state: 'detached' })
    await expect.poll(() => input(page).inputValue()).toBe('')

    await openChat(page, locale, '/shop')
    await page.getByRole('button', { name: uiText(locale, 'chat:order.open') }).click()
    const awake = page.getByRole('dialog', { name: uiText(locale, 'chat:order.title') })
    await awake.waitFor()
    await page.keyboard.press('Escape')
    await awake.waitFor({ state: 'detached' })
    await visitor.context.setOffline(true)
    await order('géométrie')
    await page.getByText(uiText(locale, 'chat:order.kept')).waitFor()
    await visitor.context.setOffline(false)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/chat'))
    await isReady.waitFor()
    await send.click()
    await expect
      .poll(() => storedMessages(shop, customer, room))
      .toEqual([text('algèbre'), text('géométrie')])

    // Whichever administrator answers, their name is shown.
    const names = ['Sonia', 'Karim']
    let from: number | null = null
    for (const username of names) {
      const { id, email } = await shop.anAdministrator()
      await shop.database.kysely
        .updateTable('users')
        .set({ username })
        .where('id', '=', id)
        .execute()
      const by = [`roomId=${room}`, `--as=${email}`]
      await shop.call('takeConversation', ...by, `from=${from}`)
      await shop.call('answerConversation', ...by, `content=Réponse de ${username}`)
      from = id
    }
    await expect.poll(() => page.locator('.message__author').allInnerTexts()).toEqual(names)
  })

  test('a new conversation stays first, also when the list is reloaded', async () => {
    const { customer, administrator, room } = await aPair(shop)
    await sendMessage(shop, administrator, customer, 'hello')
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await openChat(page, locale)
    if (viewport === PHONE) {
      await page.getByRole('button', { name: uiText(locale, 'chat:page.room.back') }).click()
    }
    await page.getByRole('button', { name: uiText(locale, 'chat:page.list.new') }).click()
    const picker = page.getByRole('dialog', { name: uiText(locale, 'chat:page.picker.title') })
    const [inbox] = (await call(shop, customer, 'GET', '/users/admins')) as { username: string }[]
    await picker.getByRole('button', { name: inbox?.username ?? '', exact: true }).click()
    await page.getByText(uiText(locale, 'chat:page.room.empty')).waitFor()
    await page.goto(`${pathIn(locale, '/chat')}?room=${room}`)
    await expect.poll(() => shownMessages(page)).toEqual(['hello'])
    await expect
      .poll(() => page.locator('.chat__room .chat__name').first().textContent())
      .toBe(inbox?.username)
  })
})

test('the order button is for logged-in visitors; React is not loaded before the first intent', async () => {
  const { page } = await newVisitor(shop.url, { at: '/shop' })
  const button = page.getByRole('button', { name: uiText('ar', 'chat:order.open') })
  await expect.poll(() => button.count()).toBe(0)
})

test('the island is small, and only this page loads the library of the live connection', async () => {
  const { customer } = await aPair(shop)
  const { page } = await loggedIn(shop.url, customer, { viewport: DESKTOP })
  const isStomp = (text: string) => text.includes('heartbeatIncoming')
  const texts = new Map<string, string>()
  // Requests the shop again: a browser drops the responses of a page that is left.
  const textOf = async (path: string) => {
    const text = texts.get(path) ?? (await (await fetch(`${shop.url}${path}`)).text())
    texts.set(path, text)
    return text
  }
  const scriptsOf = async (path: string, isLive: boolean) => {
    const paths = new Set<string>()
    const record = (request: Request) => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('.js')) paths.add(pathname)
    }
    page.on('request', record)
    await page.goto(path, { waitUntil: 'networkidle' })
    await untilHydrated(page)
    const scripts = async () =>
      new Map(
        await Promise.all([...paths].map(async (path) => [path, await textOf(path)] as const)),
      )
    await expect.poll(async () => [...(await scripts()).values()].some(isStomp)).toBe(isLive)
    page.off('request', record)
    return scripts()
  }
  const elsewhere = await scriptsOf('/wishlist', false)
  const here = await scriptsOf('/chat', true)
  const own = [...here].filter(([path, text]) => !elsewhere.has(path) && !isStomp(text))
  const bytes = own.reduce((sum, [, text]) => sum + brotliCompressSync(text).length, 0)
  expect(bytes).toBeGreaterThan(1024)
  expect(bytes).toBeLessThanOrEqual(25 * 1024)
})
