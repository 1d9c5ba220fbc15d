import { expect } from 'vitest'
import { listAdministrators, openRoom } from '../../../src/contract/chat.ts'
import * as inbox from '../../../src/contract/office-conversations.ts'
import type { TestApp } from '../app.ts'
import { sendChat } from '../chat.ts'
import type { Person } from '../people.ts'

// Calls of administrators to the common inbox.

/** A customer who has written to the shop. */
export async function aRequest(
  app: TestApp,
  content = 'السلام عليكم',
  names: Parameters<TestApp['aCustomer']>[0] = {},
) {
  const customer = await app.aCustomer(names)
  const [shop] = await app.call(listAdministrators, { as: customer })
  if (!shop?.isShop) throw new Error('the shop is not offered first')
  const query = { user1Id: customer.id, user2Id: shop.id }
  const { roomId } = await app.call(openRoom, { as: customer, query })
  await sendChat(app, customer, shop, content)
  const write = (text: string) => sendChat(app, customer, shop, text)
  return { customer, shop, roomId, write }
}

export const list = async (
  app: TestApp,
  as: Person,
  query: Parameters<typeof app.call<typeof inbox.listConversations>>[1]['query'],
) => (await app.call(inbox.listConversations, { as, query })).content
export const roomsOf = async (
  app: TestApp,
  admin: Person,
  query: Parameters<typeof list>[2],
  as = admin,
) => (await list(app, as, query)).map(({ roomId }) => roomId)
export const open = (app: TestApp, as: Person, roomId: string) =>
  app.call(inbox.getConversation, { as, params: { roomId } })
export const take = (app: TestApp, roomId: string, as: Person, from: number | null = null) =>
  app.call(inbox.takeConversation, { as, params: { roomId }, body: { from } })
export const answer = (
  app: TestApp,
  roomId: string,
  as: Person,
  content: string,
  clientId = crypto.randomUUID(),
) => app.call(inbox.answerConversation, { as, params: { roomId }, body: { content, clientId } })
export const by = ({ id }: Person, action: string) => ({ actor: `user ${id}`, action })
export const doneBefore = (name: string) => ({
  code: 'done_before',
  body: { done: { by: name, at: expect.any(String) } },
})
