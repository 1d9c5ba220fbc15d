import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { button, dialogOf, open } from '../scene-steps.ts'
import { uiText } from '../texts.ts'
import { type Scene, scene } from './scene.ts'

const HOUR_MS = 3_600_000

const INBOX = { id: 900, username: 'كرّاس · Karras', isShop: true }

/** A possible conversation: who wrote, and what; the demo shop has none. */
const TALK: readonly (readonly ['me' | 'other', string])[] = [
  ['me', 'السلام عليكم، هل يوجد امتحان تجريبي في الرياضيات للسنة التاسعة مع الإصلاح؟'],
  ['other', 'Bonjour ! Oui, il y en a trois, dont un avec le corrigé complet.'],
  ['me', 'شكرًا! هل هذه هي؟\n{origin}/shop-details/1'],
  ['other', 'نعم، هي نفسها. السعر 12.50 د.ت، وتُحمَّل بصيغة PDF.'],
  ['other', 'Écrivez-nous au +216 71 000 000 si le fichier ne s’ouvre pas : https://example.com'],
]

/** Stubs a chat server with these messages, and without a live connection. */
async function withChat(page: Page, talk: typeof TALK): Promise<void> {
  const messagesOf = (me: number, origin: string) =>
    talk.map(([writer, content], at) => ({
      id: at + 1,
      senderId: writer === 'me' ? me : me + 1,
      receiverId: writer === 'me' ? me + 1 : me,
      roomId: `room_${me}_${me + 1}`,
      content: content.replace('{origin}', origin),
      timestamp: new Date(Date.now() - (talk.length - at) * 9 * HOUR_MS).toISOString(),
    }))
  const roomsOf = (me: number, origin: string) => {
    const lastMessage = messagesOf(me, origin).at(-1)
    const thanks = 'شكرًا جزيلًا، وصلتني الوثيقة كاملة وهي واضحة'
    const names = ['Sonia Ben Amor', 'أحمد الطرابلسي'].slice(0, talk.length)
    return names.map((name, at) => ({
      roomId: `room_${me}_${me + 1 + at}`,
      other: { id: me + 1 + at, name },
      lastMessage: at === 0 ? lastMessage : { ...lastMessage, content: thanks },
      unreadCount: at * 2,
    }))
  }
  await page.routeWebSocket(/\/ws/, () => {})
  await page.route('**/api/messages/**', (route) => {
    const { pathname, origin } = new URL(route.request().url())
    const me = Number(/rooms?[/_](\d+)/.exec(pathname)?.[1])
    if (pathname.endsWith('/summaries')) return route.fulfill({ json: roomsOf(me, origin) })
    if (pathname.endsWith('/messages')) {
      const author = pathname.includes(`_${INBOX.id}/`) ? 'أحمد الطرابلسي' : null
      return route.fulfill({ json: messagesOf(me, origin).map((one) => ({ ...one, author })) })
    }
    if (pathname.endsWith('/send')) return route.abort()
    if (!pathname.endsWith('/admins')) return route.fulfill({ status: 204 })
    const administrators = [
      INBOX,
      { id: 901, username: 'Sonia Ben Amor' },
      { id: 902, username: 'أحمد الطرابلسي' },
    ]
    return route.fulfill({ json: administrators })
  })
}

async function inRoom(page: Page, locale: Locale, path = '/chat'): Promise<void> {
  await withChat(page, TALK)
  await open(page, locale, path)
  await page.locator('.message').first().waitFor()
}

export const CHAT_SCENES: readonly Scene[] = [
  scene('chat-empty', { as: 'parent' }, async (page, locale) => {
    await withChat(page, [])
    await open(page, locale, '/chat')
    await page.getByText(uiText(locale, 'chat:page.list.empty')).waitFor()
  }),
  scene('chat-picker', { as: 'parent' }, async (page, locale) => {
    await withChat(page, [])
    await open(page, locale, '/chat')
    await button(page, locale, 'chat:page.list.new').click()
    const dialog = await dialogOf(page, locale, 'chat:page.picker.title')
    await dialog.locator('.chat__admin').first().waitFor()
  }),
  scene('chat', { as: 'parent' }, async (page, locale) => {
    await inRoom(page, locale)
    await page.locator('.message .chat-document').waitFor()
  }),
  scene('chat-list', { part: '.chat__list', as: 'parent', only: 'phone' }, async (page, locale) => {
    await inRoom(page, locale)
    await button(page, locale, 'chat:page.room.back').click()
    await page.locator('.chat--list').waitFor()
  }),
  scene('chat-about', { part: '.chat__about, .composer', as: 'parent' }, async (page, locale) => {
    await inRoom(page, locale, '/chat?document=66')
    await page.locator('.chat__about .chat-document').waitFor()
    await page.locator('.composer__text').fill('هل تشمل هذه الوثيقة الإصلاح؟\nMerci !')
  }),
  scene('chat-refused', { part: '.message--refused', as: 'parent' }, async (page, locale) => {
    await inRoom(page, locale)
    await page.route('**/api/messages/room/*/send', (route) =>
      route.fulfill({ status: 403, json: { status: 403, error: 'forbidden', message: '' } }),
    )
    await page.locator('.composer__text').fill('Merci !')
    await button(page, locale, 'chat:page.room.send').click()
    await page.locator('.message--refused').waitFor()
  }),
  scene('chat-request', { as: 'parent' }, async (page, locale) => {
    await withChat(page, TALK)
    await open(page, locale, '/shop')
    await button(page, locale, 'chat:order.open').click()
    const dialog = await dialogOf(page, locale, 'chat:order.title')
    await dialog
      .getByLabel(uiText(locale, 'chat:order.type'))
      .selectOption(uiText(locale, 'catalogue:categories.exams'))
    await dialog.getByLabel(uiText(locale, 'chat:order.details')).fill('رياضيات، السنة التاسعة')
    await button(dialog, locale, 'chat:order.submit').click()
    await page.getByText(uiText(locale, 'chat:page.room.ready')).waitFor()
    await page.locator('.message__author').first().waitFor()
  }),
  scene('custom-order', { as: 'parent' }, async (page, locale) => {
    await open(page, locale, '/shop')
    await button(page, locale, 'chat:order.open').click()
    const dialog = await dialogOf(page, locale, 'chat:order.title')
    await button(dialog, locale, 'chat:order.submit').click()
    await dialog.locator('.field__error').waitFor()
  }),
]
