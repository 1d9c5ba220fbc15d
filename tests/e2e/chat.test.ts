import { brotliCompressSync } from 'node:zlib'
import type { Page, Request } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../src/i18n/paths.ts'
import { roomId } from '../../src/rules/room.ts'
import { DESKTOP, loggedIn, PHONE, untilAwake, visitor } from '../support/browser.ts'
import { lineTo } from '../support/cut-line.ts'
import { PASSWORD, type Person } from '../support/people.ts'
import { inTurn, PEOPLE, sharedShop } from '../support/stage.ts'
import { said } from '../support/texts.ts'

const shop = sharedShop()

/** What browsers note when a line is cut, or an answer is a refusal. */
const CUT = [/ERR_/, /WebSocket connection/, /status of 4/]

async function call(person: Person, method: string, path: string, body?: object) {
  const answer = await shop.send(person, method, `/messages${path}`, body)
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** A customer and an administrator who share a room. */
async function aPair() {
  const customer = await shop.aCustomer({ firstName: 'Amal' })
  const administrator = await shop.anAdministrator({ firstName: 'Sonia' })
  await call(customer, 'POST', `/room?user1Id=${customer.id}&user2Id=${administrator.id}`)
  return { customer, administrator, room: roomId(customer.id, administrator.id) }
}

const writes = (from: Person, to: Person, content: string) =>
  call(from, 'POST', `/room/${roomId(from.id, to.id)}/send`, {
    senderId: from.id,
    receiverId: to.id,
    content,
  })

/** The texts of the messages that are shown, without what stands below them. */
const shown = (page: Page) => page.locator('.message .message__text').allInnerTexts()
const stored = async (person: Person, room: string) => {
  const all = (await call(person, 'GET', `/room/${room}/messages?limit=100`)) as {
    content: string
  }[]
  return all.map(({ content }) => content)
}
const input = (page: Page) => page.locator('.composer__text:enabled')
async function write(page: Page, locale: Locale, text: string): Promise<void> {
  await input(page).fill(text)
  await page.getByRole('button', { name: said(locale, 'chat:page.room.send') }).click()
}
const open = (page: Page, locale: Locale, path = '/chat') => page.goto(inLanguage(locale, path))

describe.each(PEOPLE)('a conversation $who', ({ locale, viewport }) => {
  const turn = inTurn(locale)
  test('begins with the picker; both write and read at once, and unread is counted', async () => {
    const customer = await shop.aCustomer({ firstName: 'Amal' })
    const administrator = await shop.anAdministrator({ firstName: 'Sonia' })
    const known = (await call(customer, 'GET', '/users/admins')) as {
      id: number
      username: string
    }[]
    const name = known.find(({ id }) => id === administrator.id)?.username ?? ''

    const one = await loggedIn(shop.url, customer, { locale, viewport })
    await open(one.page, locale)
    await one.page.getByText(said(locale, 'chat:page.list.empty')).waitFor()
    await one.page.getByRole('button', { name: said(locale, 'chat:page.list.new') }).click()
    const picker = one.page.getByRole('dialog', { name: said(locale, 'chat:page.picker.title') })
    await picker.getByRole('button', { name, exact: true }).click()
    await one.page.getByText(said(locale, 'chat:page.room.empty')).waitFor()
    await expect.poll(() => one.page.locator('.chat__open h2').innerText()).toBe(name)
    const send = one.page.getByRole('button', { name: said(locale, 'chat:page.room.send') })
    await input(one.page).fill(' \n ')
    await expect.poll(() => send.isDisabled()).toBe(true)
    await write(one.page, locale, ' السلام عليكم ')
    await expect.poll(() => input(one.page).inputValue()).toBe('')
    await one.page.locator('.message--sent:not(.message--waiting)').waitFor()

    const other = await loggedIn(shop.url, administrator, { locale: 'fr', viewport: DESKTOP })
    await open(other.page, 'fr')
    await expect.poll(() => shown(other.page)).toEqual(['السلام عليكم'])
    await expect.poll(() => other.page.locator('.message--sent').count()).toBe(0)
    await write(other.page, 'fr', 'Bonjour !')
    await expect.poll(() => shown(one.page)).toEqual(['السلام عليكم', 'Bonjour !'])

    // Unread while the other one looks at another conversation.
    const second = await shop.aCustomer({ firstName: 'Ines' })
    await call(second, 'POST', `/room?user1Id=${second.id}&user2Id=${administrator.id}`)
    await writes(second, administrator, 'Et moi ?')
    await other.page.reload()
    await expect.poll(() => shown(other.page)).toEqual(['السلام عليكم', 'Bonjour !'])
    const badge = other.page.locator('.chat__room', { hasText: 'Et moi ?' }).locator('.count')
    await badge.waitFor()
    await write(one.page, locale, 'ثانية')
    await expect.poll(() => shown(other.page)).toHaveLength(3)
    await other.page.locator('.chat__room', { hasText: 'Et moi ?' }).click()
    await expect.poll(() => shown(other.page)).toEqual(['Et moi ?'])
    await badge.waitFor({ state: 'detached' })
    await write(one.page, locale, 'ثالثة')
    await other.page.locator('.chat__room', { hasText: 'ثالثة' }).locator('.count').waitFor()
    await other.page.reload()
    await other.page.locator('.chat__room', { hasText: 'Et moi ?' }).waitFor()
    await expect.poll(() => badge.count()).toBe(0)
    await one.leave()
    await other.leave()
  })

  turn(
    'a cut line: what is written waits, what was missed comes; each once, in order',
    async () => {
      const { customer, administrator, room } = await aPair()
      const line = await lineTo(shop.url)
      const someone = await loggedIn(line.url, customer, { locale, viewport, allowed: CUT })
      const { page } = someone
      await open(page, locale)
      await write(page, locale, 'before')
      await expect.poll(() => stored(customer, room)).toEqual(['before'])
      // Its answer has come too: cut before that, it would wait with the others.
      await expect.poll(() => page.locator('.message--waiting').count()).toBe(0)
      line.cut()
      await page.getByText(said(locale, 'chat:page.line.lost')).waitFor()
      for (const text of ['one', 'two', 'three']) await write(page, locale, text)
      await expect.poll(() => page.locator('.message--waiting').count()).toBe(3)
      for (const text of ['missed 1', 'missed 2']) await writes(administrator, customer, text)
      line.mend()
      const all = ['before', 'missed 1', 'missed 2', 'one', 'two', 'three']
      await expect.poll(() => shown(page)).toEqual(all)
      await expect.poll(() => page.locator('.message--waiting').count()).toBe(0)
      expect(await stored(customer, room)).toEqual(all)
      await page.getByText(said(locale, 'chat:page.line.lost')).waitFor({ state: 'detached' })
      await writes(administrator, customer, 'after')
      await expect.poll(() => shown(page)).toEqual([...all, 'after'])
      await someone.leave()
    },
  )

  turn('messages that wait, and a draft, outlive the page', async () => {
    const { customer, room } = await aPair()
    const someone = await loggedIn(shop.url, customer, { locale, viewport, allowed: CUT })
    const { page } = someone
    await open(page, locale)
    await input(page).waitFor()
    await page.route('**/api/messages/room/*/send', (route) => route.abort())
    await write(page, locale, 'first')
    await write(page, locale, 'second')
    await input(page).fill('a draft')
    await page.reload()
    await expect.poll(() => shown(page)).toEqual(['first', 'second'])
    await expect.poll(() => input(page).inputValue()).toBe('a draft')
    expect(await stored(customer, room)).toEqual([])
    await page.unroute('**/api/messages/room/*/send')
    await expect.poll(() => stored(customer, room)).toEqual(['first', 'second'])
    await expect.poll(() => page.locator('.message--waiting').count()).toBe(0)
    await someone.leave()
  })

  turn('older messages come by scrolling up and leave what is read where it is', async () => {
    const { customer, administrator, room } = await aPair()
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
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    await open(page, locale)
    await expect.poll(() => shown(page)).toHaveLength(50)
    const box = page.locator('.chat__scroll')
    const fromEnd = () => box.evaluate((el) => el.scrollHeight - el.scrollTop - el.clientHeight)
    await expect.poll(() => fromEnd()).toBeLessThan(4)
    const topOf = () =>
      page.getByText('message 75', { exact: true }).evaluate((el) => el.getBoundingClientRect().top)
    await box.evaluate((el) => {
      el.scrollTop = 10
    })
    await expect.poll(() => shown(page)).toHaveLength(100)
    const before = await topOf()
    await box.evaluate((el) => {
      el.scrollTop = 10
    })
    const moved = await topOf()
    expect(Math.abs(moved - before)).toBeGreaterThan(100)
    await expect.poll(() => shown(page)).toHaveLength(120)
    expect(Math.abs((await topOf()) - moved)).toBeLessThan(60)
    expect((await shown(page))[0]).toBe('message 1')

    // Somebody writes meanwhile: the reader stays, and is told.
    const place = await topOf()
    await writes(administrator, customer, 'new')
    const newest = page.getByRole('button', { name: said(locale, 'chat:page.room.newest') })
    await newest.waitFor()
    expect(Math.abs((await topOf()) - place)).toBeLessThan(4)
    await newest.click()
    await expect.poll(fromEnd).toBeLessThan(4)
    await newest.waitFor({ state: 'detached' })
    await someone.leave()
  })

  turn('what people write is text, whatever it is', async () => {
    const { customer, administrator } = await aPair()
    const payloads = [
      '<script>window.hacked = 1</script>',
      '<img src=x onerror="window.hacked=1">',
      '"><svg onload=window.hacked=1>',
      'javascript:window.hacked=1',
      '[x](javascript:window.hacked=1)',
      'https://evil.example/"onmouseover="window.hacked=1',
      `${shop.url}/shop-details/1"onmouseover="window.hacked=1`,
      `${shop.url}/"><script>window.hacked=1</script>`,
      '{{constructor.constructor("window.hacked=1")()}}',
      '\u202egnp.exe\u202c <b>bold</b>',
    ]
    for (const payload of payloads) await writes(administrator, customer, payload)
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    await open(page, locale)
    await page.locator('.message .chat-document').first().waitFor()
    await expect.poll(() => shown(page)).toHaveLength(payloads.length)
    const texts = await shown(page)
    for (const [at, payload] of payloads.entries()) {
      if (!payload.startsWith(shop.url)) expect(texts[at]).toBe(payload)
    }
    await expect.poll(() => page.evaluate(() => 'hacked' in window)).toBe(false)
    const log = page.locator('.chat__log')
    // The cards of documents have covers, which the shop draws.
    const foreign = 'script, img:not(.cover__picture), b, svg:not(.icon, .cover__paint)'
    await expect.poll(() => log.locator(`${foreign}, [onmouseover], [onerror]`).count()).toBe(0)
    const targets = await log
      .locator('a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).origin))
    expect(new Set(targets)).toEqual(new Set([shop.url]))
    await someone.leave()
  })

  turn('asks about a document: through the log-in, with its card on both sides', async () => {
    const { customer, administrator } = await aPair()
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
    'a custom order stands ready in the conversation with the shop, and one press sends it',
    async () => {
      const { customer } = await aPair()
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
      const [inbox] = (await call(customer, 'GET', '/users/admins')) as {
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
      expect(await stored(customer, room)).toEqual([])
      // Nothing else is to be done: the focus is on the button.
      await expect.poll(() => send.evaluate((one) => one === document.activeElement)).toBe(true)
      await page.reload()
      await isReady.waitFor()
      await send.click()
      await expect.poll(() => stored(customer, room)).toEqual([text('algèbre')])
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
      await expect.poll(() => stored(customer, room)).toEqual([text('algèbre'), text('géométrie')])

      // Whoever of the staff answers, their name stands with it.
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

  turn(
    'a conversation begun just now stays the first, also when the list is read again',
    async () => {
      const { customer, administrator, room } = await aPair()
      await writes(administrator, customer, 'hello')
      const someone = await loggedIn(shop.url, customer, { locale, viewport })
      const { page } = someone
      await open(page, locale)
      if (viewport === PHONE) {
        await page.getByRole('button', { name: said(locale, 'chat:page.room.back') }).click()
      }
      await page.getByRole('button', { name: said(locale, 'chat:page.list.new') }).click()
      const picker = page.getByRole('dialog', { name: said(locale, 'chat:page.picker.title') })
      const [inbox] = (await call(customer, 'GET', '/users/admins')) as { username: string }[]
      await picker.getByRole('button', { name: inbox?.username ?? '', exact: true }).click()
      await page.getByText(said(locale, 'chat:page.room.empty')).waitFor()
      await page.goto(`${pathIn(locale, '/chat')}?room=${room}`)
      await expect.poll(() => shown(page)).toEqual(['hello'])
      await expect
        .poll(() => page.locator('.chat__room .chat__name').first().textContent())
        .toBe(inbox?.username)
      await someone.leave()
    },
  )

  turn('without script there is no sign of loading, only what is missing', async () => {
    const someone = await visitor(shop.url, { locale, viewport, javaScriptEnabled: false })
    const { page } = someone
    await open(page, locale)
    await expect
      .poll(() => page.locator('main noscript').textContent())
      .toContain(said(locale, 'account:noScript'))
    await expect
      .poll(() => page.getByText(said(locale, 'chat:page.list.loading')).isVisible())
      .toBe(false)
    for (const path of ['/chat', '/checkout', '/wishlist', '/my-documents', '/order']) {
      await open(page, locale, path)
      await expect
        .poll(() => page.locator('main .spinner:visible').count(), { message: path })
        .toBe(0)
      await expect
        .poll(() => page.locator('main [aria-busy=true]:visible').count(), { message: path })
        .toBe(0)
    }
    await someone.leave()
  })
})

test('the order button is for who is logged in; nothing of React comes before the first intent', async () => {
  const someone = await visitor(shop.url)
  const { page } = someone
  await page.goto('/shop')
  const button = page.getByRole('button', { name: said('ar', 'chat:order.open') })
  await expect.poll(() => button.count()).toBe(0)
  await someone.leave()
})

test('on a phone the browser’s back leads from the conversation to the list, and out', async () => {
  const { customer, administrator } = await aPair()
  const { id } = await shop.anAdministrator()
  await call(customer, 'POST', `/room?user1Id=${customer.id}&user2Id=${id}`)
  await writes(administrator, customer, 'hello')
  const someone = await loggedIn(shop.url, customer)
  const { page } = someone
  await page.goto('/shop')
  await page.goto('/chat')
  await page.locator('.chat--room').waitFor()
  await expect.poll(() => page.locator('.chat__list').isVisible()).toBe(false)
  await page.getByRole('button', { name: said('ar', 'chat:page.room.back') }).click()
  await page.locator('.chat--list').waitFor()
  await expect.poll(() => page.locator('.chat__open').isVisible()).toBe(false)
  await page.locator('.chat__room').nth(1).click()
  await page.locator('.chat--room').waitFor()
  await page.getByText(said('ar', 'chat:page.room.empty')).waitFor()
  await page.goBack()
  await page.locator('.chat--list').waitFor()
  await page.goForward()
  await page.locator('.chat--room').waitFor()
  await page.reload()
  await page.getByText(said('ar', 'chat:page.room.empty')).waitFor()
  await page.goBack()
  await page.locator('.chat--list').waitFor()
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/shop')
  await someone.leave()
})

test('by keyboard alone: start, write on two lines, send, scroll', async () => {
  const { customer, administrator, room } = await aPair()
  await writes(administrator, customer, 'hello')
  const someone = await loggedIn(shop.url, customer, { locale: 'fr', viewport: DESKTOP })
  const { page } = someone
  await page.goto('/fr/chat')
  await input(page).waitFor()
  const reach = async (selector: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await page.evaluate((target) => document.activeElement?.matches(target), selector)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${selector}`)
  }
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
  await expect.poll(() => stored(customer, room)).toEqual(['hello', 'one\ntwo'])
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.className))
    .toBe('composer__text')
  await someone.leave()
})

test('two tabs show the same; logging out in one leads the other to the log-in', async () => {
  const { customer, room } = await aPair()
  const someone = await visitor(shop.url, { viewport: DESKTOP, allowed: CUT })
  const { page } = someone
  await page.goto('/robots.txt')
  await page.evaluate((token) => localStorage.setItem('token', token), customer.token)
  await page.goto('/chat')
  const other = await someone.context.newPage()
  await other.goto('/chat')
  await input(other).waitFor()
  await write(page, 'ar', 'from one')
  await expect.poll(() => shown(other)).toEqual(['from one'])
  await write(other, 'ar', 'from the other')
  await expect.poll(() => shown(page)).toEqual(['from one', 'from the other'])
  // What waits in one tab is shown in the other before the server has it.
  await expect.poll(() => stored(customer, room)).toHaveLength(2)
  await input(page).fill('a draft')
  await page
    .locator('.header')
    .getByRole('button', { name: said('ar', 'account:session.logout') })
    .click()
  await page.waitForURL((url) => url.pathname === '/')
  await other.waitForURL(/\/login\?returnTo=%2Fchat/)
  await expect
    .poll(() =>
      other.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('chat_'))),
    )
    .toEqual([])
  await someone.leave()
})

test('a message that is refused is tried again, or taken away', async () => {
  const { customer, room } = await aPair()
  const someone = await loggedIn(shop.url, customer, {
    locale: 'fr',
    viewport: DESKTOP,
    allowed: CUT,
  })
  const { page } = someone
  await page.goto('/fr/chat')
  await input(page).waitFor()
  const refuse = () =>
    page.route('**/api/messages/room/*/send', (route) =>
      route.fulfill({ status: 403, json: { status: 403, error: 'forbidden', message: '' } }),
    )
  await refuse()
  await write(page, 'fr', 'keep')
  await write(page, 'fr', 'drop')
  await expect.poll(() => page.locator('.message--refused').count()).toBe(2)
  await page.unroute('**/api/messages/room/*/send')
  const last = page.locator('.message--refused', { hasText: 'drop' })
  await last.getByRole('button', { name: said('fr', 'chat:page.state.drop') }).click()
  await page.getByRole('button', { name: said('fr', 'chat:page.state.retry') }).click()
  await expect.poll(() => stored(customer, room)).toEqual(['keep'])
  await expect.poll(() => page.locator('.message--refused').count()).toBe(0)
  await someone.leave()
})

test('the island is small, and the live connection’s library comes on this page alone', async () => {
  const { customer } = await aPair()
  const someone = await loggedIn(shop.url, customer, { viewport: DESKTOP })
  const { page } = someone
  const isStomp = (text: string) => text.includes('heartbeatIncoming')
  const texts = new Map<string, string>()
  // The shop is asked again: a browser forgets the answers of a page that is left.
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
