import { dinars } from '../../rules/money.ts'
import { roomId } from '../../rules/room.ts'
import { writeSchoolLists } from '../catalogue/catalogue.ts'
import { advanceIds } from '../database/advance-ids.ts'
import type { Tx } from '../database/transaction.ts'
import { adjustWallet, openWallet, purchase } from '../money/money.ts'
import {
  type DemoConversation,
  type DemoPerson,
  type DemoShop,
  entryOf,
  finalPriceOf,
} from './demo-data.ts'
import type { PrintedFile } from './printed-files.ts'
import { writeDocuments, writeFiles, writeTeachers } from './write-catalogue.ts'
import { writeOffice } from './write-office.ts'
import { writeOfficeMoney } from './write-office-money.ts'
import { writeReview } from './write-review.ts'

/** When the demo accounts were opened. */
const OPENED = new Date('2026-01-15T08:00:00Z')

/** Writes everything of the demo shop into an empty database. */
export async function writeDemoShop(
  tx: Tx,
  shop: DemoShop,
  made: {
    files: readonly PrintedFile[]
    /** Addresses of the teachers' pictures, by id. */
    portraits: ReadonlyMap<number, string>
    hashes: { known: string; unknown: string }
    /** The shop's origin. */
    siteUrl: string
  },
): Promise<void> {
  await writeSchoolLists(tx, shop.lists)
  await writePeople(tx, shop.accounts, made.hashes.known)
  await writePeople(tx, shop.readers, made.hashes.unknown)
  await writeTeachers(tx, shop, made.portraits)
  await writeFiles(tx, made.files)
  await writeDocuments(tx, shop)
  await advanceIds(tx, ['users', 'teachers', 'coverMappings', 'files', 'documents', 'ratings'])

  const people = [...shop.accounts, ...shop.readers]
  for (const { id, balance } of people) {
    if (balance === 0) continue
    await adjustWallet(tx, { userId: id, amount: dinars(balance), note: 'demo balance' })
  }
  for (const person of people) {
    await buy(tx, person, shop)
    await rate(tx, person)
  }
  await writeOffice(tx, shop)
  await writeOfficeMoney(tx, shop, made.siteUrl)
  await writeReview(tx, shop.review)
  for (const conversation of shop.conversations) {
    await writeConversation(tx, people, conversation, made.siteUrl)
  }
}

async function writePeople(
  tx: Tx,
  people: readonly DemoPerson[],
  passwordHash: string,
): Promise<void> {
  const rows = people.map(({ balance: _, bought: __, ratings: ___, ...person }) => ({
    ...person,
    username: `${person.firstName} ${person.lastName}`,
    passwordHash,
    isDemo: true,
    createdAt: OPENED,
    emailConfirmedAt: OPENED,
  }))
  await tx.insertInto('users').values(rows).execute()
  for (const { id, role } of people) if (role === 'PARENT') await openWallet(tx, id)
}

/** Puts the price of a person's documents into the wallet and buys them like any customer. */
async function buy(tx: Tx, { id, bought }: DemoPerson, shop: DemoShop): Promise<void> {
  if (bought.length === 0) return
  const amount = bought.reduce((sum, document) => sum + finalPriceOf(shop, document), 0)
  await adjustWallet(tx, { userId: id, amount, note: 'demo purchases' })
  await purchase(tx, { buyerId: id, documentIds: bought })
}

async function rate(tx: Tx, { id, ratings }: DemoPerson): Promise<void> {
  for (const { document, teacher, stars, comment, at, answer } of ratings) {
    const row = {
      documentId: document ?? null,
      teacherId: teacher ?? null,
      stars,
      comment,
      userId: id,
      createdAt: at,
    }
    const { id: ratingId } = await tx
      .insertInto('ratings')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!answer) continue
    await tx
      .insertInto('ratingAnswers')
      .values({ ratingId, text: answer.text, answeredAt: answer.at, ratedAt: at })
      .execute()
  }
}

/** A short conversation with the shop, whose last message is unread. */
async function writeConversation(
  tx: Tx,
  everybody: readonly DemoPerson[],
  conversation: DemoConversation,
  siteUrl: string,
): Promise<void> {
  const idOf = (email: string) => entryOf(everybody, 'email', email).id
  const people = [...new Set(conversation.map(({ from }) => from))].map(idOf)
  const [customer = 0, administrator = 0] = people
  const id = roomId(customer, administrator)
  await tx
    .insertInto('chatRooms')
    .values({ id, customerId: customer, administratorId: administrator })
    .execute()
  const ids: number[] = []
  // One after the other: their ids give their order.
  for (const { from, at, text, document } of conversation) {
    const sender = idOf(from)
    // As "ask about this document" writes it.
    const content = document ? `${text}\n${siteUrl}/shop-details/${document}` : text
    const row = await tx
      .insertInto('chatMessages')
      .values({
        roomId: id,
        senderId: sender,
        receiverId: sender === customer ? administrator : customer,
        content,
        clientId: null,
        createdAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(row.id)
  }
  const last = ids.at(-1) ?? 0
  const answered = conversation.findLastIndex(({ from }) => idOf(from) !== customer)
  await tx
    .updateTable('chatRooms')
    .set({ lastMessageId: last, unansweredSince: conversation[answered + 1]?.at ?? null })
    .where('id', '=', id)
    .execute()
  await tx
    .insertInto('chatReaders')
    .values([
      { roomId: id, userId: administrator, readUpTo: last },
      { roomId: id, userId: customer, readUpTo: ids.at(-2) ?? 0 },
    ])
    .execute()
}
