import { HOUR_MS } from '../../rules/durations.ts'
import { numberedPath } from '../../rules/numbered-pages.ts'
import { roomId } from '../../rules/room.ts'
import { shopAccount } from '../chat/chat.ts'
import type { Tx } from '../database/transaction.ts'
import { type DemoShop, entryOf } from './demo-data.ts'

interface DemoMessage {
  /** The author. */
  readonly by: number
  readonly at: Date
  readonly content: string
}

interface DemoRoom {
  readonly customer: number
  /** The administrator, or the account of the common inbox. */
  readonly office: number
  readonly messages: readonly DemoMessage[]
  /** The administrator who has taken it from the common inbox. */
  readonly takenBy: number | null
}

export async function writeConversations(
  tx: Tx,
  { shop, siteUrl, opened }: { shop: DemoShop; siteUrl: string; opened: Date },
): Promise<void> {
  const people = [...shop.accounts, ...shop.readers]
  const idOf = (email: string) => entryOf(people, 'email', email).id
  // In the form of "ask about this document".
  const contentOf = ({ text, document }: { text: string; document?: number | undefined }) =>
    document ? `${text}\n${siteUrl}${numberedPath('document', document)}` : text

  for (const conversation of shop.conversations) {
    const messages = conversation.map(({ from, at, ...message }) => ({
      by: idOf(from),
      at,
      content: contentOf(message),
    }))
    const [customer = 0, office = 0] = new Set(messages.map(({ by }) => by))
    await writeRoom(tx, { customer, office, messages, takenBy: null })
  }

  const office = await shopAccount(tx)
  await tx.updateTable('users').set({ createdAt: opened }).where('id', '=', office).execute()
  const now = Date.now()
  for (const { messages, takenBy } of shop.inbox.conversations) {
    const written = messages.map(({ from, hoursAgo, ...message }) => ({
      by: idOf(from),
      at: new Date(now - hoursAgo * HOUR_MS),
      content: contentOf(message),
    }))
    const customer = written[0]?.by ?? 0
    const taker = takenBy === undefined ? null : idOf(takenBy)
    await writeRoom(tx, { customer, office, messages: written, takenBy: taker })
  }
  for (const { name, text } of shop.inbox.cannedAnswers) {
    await tx
      .insertInto('cannedAnswers')
      .values({ name: JSON.stringify(name), text: JSON.stringify(text) })
      .execute()
  }
}

async function writeRoom(tx: Tx, { customer, office, messages, takenBy }: DemoRoom): Promise<void> {
  const id = roomId(customer, office)
  await tx
    .insertInto('chatRooms')
    .values({ id, customerId: customer, administratorId: office })
    .execute()
  const ids: number[] = []
  // One after the other, since their ids determine their order.
  for (const { by, at, content } of messages) {
    const isCustomers = by === customer
    const row = await tx
      .insertInto('chatMessages')
      .values({
        roomId: id,
        senderId: isCustomers ? customer : office,
        receiverId: isCustomers ? office : customer,
        authorId: isCustomers || by === office ? null : by,
        content,
        clientId: null,
        createdAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(row.id)
  }
  const answered = messages.findLastIndex(({ by }) => by !== customer)
  const last = ids.at(-1) ?? 0
  await tx
    .updateTable('chatRooms')
    .set({
      lastMessageId: last,
      unansweredSince: messages[answered + 1]?.at ?? null,
      takenBy,
      takenAt: takenBy === null ? null : (messages[Math.max(answered, 0)]?.at ?? null),
    })
    .where('id', '=', id)
    .execute()
  await tx
    .insertInto('chatReaders')
    .values([
      // An administrator has read their own conversations; messages in the common inbox are unread.
      { roomId: id, userId: office, readUpTo: answered < 0 ? 0 : last },
      { roomId: id, userId: customer, readUpTo: ids.at(-2) ?? 0 },
    ])
    .execute()
}
