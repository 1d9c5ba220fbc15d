import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { roomId } from '../../src/rules/room.ts'
import type { Person } from './people.ts'
import { button } from './scene-steps.ts'
import type { OpenShop } from './shop.ts'

/** Console errors of a cut connection and of refused requests. */
export const CUT_ERRORS = [/ERR_/, /WebSocket connection/, /status of 4/]

export async function call(
  shop: OpenShop,
  person: Person,
  method: string,
  path: string,
  body?: object,
) {
  const answer = await shop.send(person, method, `/messages${path}`, body)
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** A customer and an administrator who share a room. */
export async function aPair(shop: OpenShop) {
  const customer = await shop.aCustomer({ firstName: 'Amal' })
  const administrator = await shop.anAdministrator({ firstName: 'Sonia' })
  await call(shop, customer, 'POST', `/room?user1Id=${customer.id}&user2Id=${administrator.id}`)
  return { customer, administrator, room: roomId(customer.id, administrator.id) }
}

export const sendMessage = (shop: OpenShop, from: Person, to: Person, content: string) =>
  call(shop, from, 'POST', `/room/${roomId(from.id, to.id)}/send`, {
    senderId: from.id,
    receiverId: to.id,
    content,
  })

/**
 * Sends a message to the shop as a customer, without naming an administrator; returns the id of the
 * conversation, which the first message opens.
 */
export async function writeToShop(shop: OpenShop, customer: Person, content: string) {
  const [{ id }] = await call(shop, customer, 'GET', '/users/admins')
  const query = `user1Id=${customer.id}&user2Id=${id}`
  const { roomId } = await call(shop, customer, 'POST', `/room?${query}`)
  const message = { senderId: customer.id, receiverId: id, content }
  await call(shop, customer, 'POST', `/room/${roomId}/send`, message)
  return String(roomId)
}

/** The texts of the shown messages, without what is below them. */
export const shownMessages = (page: Page) => page.locator('.message .message__text').allInnerTexts()
export const storedMessages = async (shop: OpenShop, person: Person, room: string) => {
  const all = (await call(shop, person, 'GET', `/room/${room}/messages?limit=100`)) as {
    content: string
  }[]
  return all.map(({ content }) => content)
}
export const input = (page: Page) => page.locator('.composer__text:enabled')
export async function writeMessage(page: Page, locale: Locale, text: string): Promise<void> {
  await input(page).fill(text)
  await button(page, locale, 'chat:page.room.send').click()
}
export const openChat = (page: Page, locale: Locale, path = '/chat') =>
  page.goto(inLanguage(locale, path))
