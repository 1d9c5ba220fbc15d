import { brotliCompressSync } from 'node:zlib'
import type { Request } from 'playwright'
import { describe, expect, test } from 'vitest'
import { pathIn } from '../../src/i18n/paths.ts'
import { roomId } from '../../src/rules/room.ts'
import { DESKTOP, loggedIn, PHONE, untilAwake, visitor } from '../support/browser.ts'
import {
  aPair,
  CUT,
  call,
  input,
  open,
  shown,
  stored,
  write,
  writes,
} from '../support/chat-page.ts'
import { PASSWORD } from '../support/people.ts'
import { inTurn, PEOPLE, sharedShop } from '../support/stage.ts'
import { said } from '../support/texts.ts'

const shop = sharedShop()

describe.each(PEOPLE)('a conversation $who', ({ locale, viewport }) => {
  const turn = inTurn(locale)

  turn('asks about a document: through the log-in, with its card on both sides', async () => {
    const { customer, administrator } = await aPair(shop)
    const document = await shop.aDocument({ title: `Suites numériques ${locale}` })
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await open(page, locale, `/shop-details/${document.id}`)
    await page.getByRole('link', { name: said(locale, 'chat:ask') }).click()
    await page.waitForURL(/\/login\?returnTo=/)
    await page.getByLabel(said(locale, 'account:login.username')).fill(customer.email)
    await page.getByLabel(said(locale, 'account:login.password'), { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: said(locale, 'account:login.submit') }).click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/chat'))
    await page.locator('.chat__about').getByText(document.title).waitFor()
    await write(page, locale, 'Avec corrigé ?')
    await page.locator('.message--sent .chat-document').waitFor()
    await page.locator('.chat__about').waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('document=')

    const other = await loggedIn(shop.url, administrator, { locale: 'fr', viewport: DESKTOP })
    await open(other.page, 'fr')
    const card = other.page.locator('.message .chat-document')
    await card.waitFor()
    await expect.poll(() => card.innerText()).toContain(document.title)
    await expect.poll(() => shown(other.page)).toEqual([expect.stringContaining('Avec corrigé ?')])
    await card.click()
    await other.page.waitForURL((url) => url.pathname === `/fr/shop-details/${document.id}`)
    await someone.leave()
    await other.leave()
  })

  turn(
    'a custom order is prepared in the conversation with the shop, and one click sends it',
    async () => {
      const { customer } = await aPair(shop)
      await shop.anAdministrator()
      const someone = await loggedIn(shop.url, customer, { locale, viewport, allowed: CUT })
      const { page } = someone
      const order = async (details: string) => {
        await page.getByRole('button', { name: said(locale, 'chat:order.open') }).click()
        const dialog = page.getByRole('dialog', { name: said(locale, 'chat:order.title') })
        await expect
          .poll(() => dialog.getByLabel(said(locale, 'chat:order.details')).inputValue())
          .toBe('')
        await dialog.getByRole('button', { name: said(locale, 'chat:order.submit') }).click()
        await dialog.getByText(said(locale, 'chat:order.required')).waitFor()
        await dialog
          .getByLabel(said(locale, 'chat:order.type'))
          .selectOption(said(locale, 'catalogue:categories.exams'))
        await dialog.getByLabel(said(locale, 'chat:order.details')).fill(details)
        await dialog.getByRole('button', { name: said(locale, 'chat:order.submit') }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      const [inbox] = (await call(shop, customer, 'GET', '/users/admins')) as {
        id: number
        username: string
      }[]
      const room = roomId(customer.id, inbox?.id ?? 0)
      const text = (details: string) =>
        said(locale, 'chat:order.message')
          .replace('{{type}}', said(locale, 'catalogue:categories.exams'))
          .replace('{{details}}', details)
      const send = page.getByRole('button', { name: said(locale, 'chat:page.room.send') })
      const isReady = page.getByText(said(locale, 'chat:page.room.ready'))

      await open(page, locale, '/shop')
      await order('algèbre')
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/chat'))
      await isReady.waitFor()
      await expect.poll(() => input(page).inputValue()).toBe(text('algèbre'))
      await expect.poll(() => page.locator('.chat__open h2').innerText()).toBe(inbox?.username)
      expect(await stored(shop, customer, room)).toEqual([])
      // No further input is needed: the button has the focus.
      await expect.poll(() => send.evaluate((one) => one === document.activeElement)).toBe(true)
      await page.reload()
      await isReady.waitFor()
      await send.click()
      await expect.poll(() => stored(shop, customer, room)).toEqual([text('algèbre')])
      await isReady.waitFor({ state: 'detached' })
      await expect.poll(() => input(page).inputValue()).toBe('')

      await open(page, locale, '/shop')
      await page.getByRole('button', { name: said(locale, 'chat:order.open') }).click()
      const awake = page.getByRole('dialog', { name: said(locale, 'chat:order.title') })
      await awake.waitFor()
      await page.keyboard.press('Escape')
      await awake.waitFor({ state: 'detached' })
      await someone.context.setOffline(true)
      await order('géométrie')
      await page.getByText(said(locale, 'chat:order.kept')).waitFor()
      await someone.context.setOffline(false)
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/chat'))
      await isReady.waitFor()
      await send.click()
      await expect
        .poll(() => stored(shop, customer, room))
        .toEqual([text('algèbre'), text('géométrie')])

      // Whichever administrator answers, their name is shown.
      const names = ['Sonia', 'Karim']
      for (const username of names) {
        const { id, email } = await shop.anAdministrator()
        await shop.database.kysely
          .updateTable('users')
          .set({ username })
          .where('id', '=', id)
          .execute()
        await shop.office('chat', room, '--as', email, `Réponse de ${username}`)
      }
      await expect.poll(() => page.locator('.message__author').allInnerTexts()).toEqual(names)
      await someone.leave()
    },
  )

  turn('a new conversation stays first, also when the list is reloaded', async () => {
    const { customer, administrator, room } = await aPair(shop)
    await writes(shop, administrator, customer, 'hello')
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    await open(page, locale)
    if (viewport === PHONE) {
      await page.getByRole('button', { name: said(locale, 'chat:page.room.back') }).click()
    }
    await page.getByRole('button', { name: said(locale, 'chat:page.list.new') }).click()
    const picker = page.getByRole('dialog', { name: said(locale, 'chat:page.picker.title') })
    const [inbox] = (await call(shop, customer, 'GET', '/users/admins')) as { username: string }[]
    await picker.getByRole('button', { name: inbox?.username ?? '', exact: true }).click()
    await page.getByText(said(locale, 'chat:page.room.empty')).waitFor()
    await page.goto(`${pathIn(locale, '/chat')}?room=${room}`)
    await expect.poll(() => shown(page)).toEqual(['hello'])
    await expect
      .poll(() => page.locator('.chat__room .chat__name').first().textContent())
      .toBe(inbox?.username)
    await someone.leave()
  })
})

test('the order button is for logged-in visitors; React is not loaded before the first intent', async () => {
  const someone = await visitor(shop.url)
  const { page } = someone
  await page.goto('/shop')
  const button = page.getByRole('button', { name: said('ar', 'chat:order.open') })
  await expect.poll(() => button.count()).toBe(0)
  await someone.leave()
})

test('the island is small, and only this page loads the library of the live connection', async () => {
  const { customer } = await aPair(shop)
  const someone = await loggedIn(shop.url, customer, { viewport: DESKTOP })
  const { page } = someone
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
    const hear = (request: Request) => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('.js')) paths.add(pathname)
    }
    page.on('request', hear)
    await page.goto(path, { waitUntil: 'networkidle' })
    await untilAwake(page)
    const scripts = async () =>
      new Map(
        await Promise.all([...paths].map(async (path) => [path, await textOf(path)] as const)),
      )
    await expect.poll(async () => [...(await scripts()).values()].some(isStomp)).toBe(isLive)
    page.off('request', hear)
    return scripts()
  }
  const elsewhere = await scriptsOf('/wishlist', false)
  const here = await scriptsOf('/chat', true)
  const own = [...here].filter(([path, text]) => !elsewhere.has(path) && !isStomp(text))
  const bytes = own.reduce((sum, [, text]) => sum + brotliCompressSync(text).length, 0)
  expect(bytes).toBeGreaterThan(1024)
  expect(bytes).toBeLessThanOrEqual(25 * 1024)
  await someone.leave()
})
