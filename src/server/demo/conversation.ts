import { roomId } from '../../rules/room.ts'
import type { Tx } from '../database/transaction.ts'
import { DEMO_ACCOUNTS } from './people.ts'
import { DEMO_DATE } from './write-catalogue.ts'

/** What was said, by whom, and how many minutes after the first of it. */
const SAID = [
  ['parent@karras.test', 0, 'السلام عليكم، هل تمارين الكسور هذه تناسب تلميذا في السنة السادسة؟'],
  ['admin@karras.test', 7, 'وعليكم السلام، نعم، وفيها إصلاح مفصّل لكلّ تمرين في آخر الوثيقة.'],
  ['parent@karras.test', 9, 'شكرا جزيلا!'],
  ['admin@karras.test', 12, 'على الرحب والسعة. نحن هنا إن احتجت إلى أيّ شيء.'],
] as const

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** A short conversation, whose last message the customer has not read. */
export async function writeConversation(tx: Tx): Promise<void> {
  const idOf = (email: string) => DEMO_ACCOUNTS.findIndex((one) => one.email === email) + 1
  const customer = idOf('parent@karras.test')
  const administrator = idOf('admin@karras.test')
  const id = roomId(customer, administrator)
  await tx
    .insertInto('chatRooms')
    .values({ id, customerId: customer, administratorId: administrator })
    .execute()
  const rows = SAID.map(([email, minutes, content]) => ({
    roomId: id,
    senderId: idOf(email),
    receiverId: idOf(email) === customer ? administrator : customer,
    content,
    clientId: null,
    createdAt: new Date(DEMO_DATE - DAY + minutes * MINUTE),
  }))
  const ids = []
  // One after the other: their ids are their order.
  for (const row of rows) {
    const { id } = await tx
      .insertInto('chatMessages')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  const last = ids.at(-1) ?? 0
  await tx.updateTable('chatRooms').set({ lastMessageId: last }).where('id', '=', id).execute()
  await tx
    .insertInto('chatReaders')
    .values([
      { roomId: id, userId: administrator, readUpTo: last },
      { roomId: id, userId: customer, readUpTo: ids.at(-2) ?? 0 },
    ])
    .execute()
}
