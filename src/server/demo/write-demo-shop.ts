import { finalPrice } from '../../rules/discount.ts'
import { dinars } from '../../rules/money.ts'
import { roomId } from '../../rules/room.ts'
import type { Tx } from '../database/transaction.ts'
import { adjustWallet, openWallet } from '../wallet/ledger.ts'
import { purchase } from '../wallet/purchase.ts'
import { type DemoPerson, type DemoShop, entryOf } from './demo-data.ts'
import type { PrintedFile } from './printed-files.ts'
import { writeDocuments, writeFiles, writeTeachers } from './write-catalogue.ts'
import { advanceIds, writeTaxonomy } from './write-shop.ts'

/** When the demo accounts were opened. */
const OPENED = new Date('2026-01-15T08:00:00Z')

/** Writes everything of the demo shop into an empty database. */
export async function writeDemoShop(
  tx: Tx,
  shop: DemoShop,
  made: { files: readonly PrintedFile[]; hashes: { known: string; unknown: string } },
): Promise<void> {
  await writeTaxonomy(tx, shop.taxonomy)
  await writePeople(tx, shop.accounts, made.hashes.known)
  await writePeople(tx, shop.readers, made.hashes.unknown)
  await writeTeachers(tx, shop)
  await writeFiles(tx, made.files)
  await writeDocuments(tx, shop)
  await advanceIds(tx)

  const people = [...shop.accounts, ...shop.readers]
  for (const { id, balance } of people) {
    if (balance === 0) continue
    await adjustWallet(tx, { userId: id, amount: dinars(balance), note: 'demo balance' })
  }
  for (const person of people) {
    await buy(tx, person, shop)
    await rate(tx, person)
  }
  await writeConversation(tx, shop)
}

async function writePeople(
  tx: Tx,
  people: readonly DemoPerson[],
  passwordHash: string,
): Promise<void> {
  const rows = people.map((person) => ({
    id: person.id,
    email: person.email,
    phone: person.phone,
    username: `${person.firstName} ${person.lastName}`,
    first_name: person.firstName,
    last_name: person.lastName,
    gender: person.gender,
    role: person.role,
    password_hash: passwordHash,
    is_demo: true,
    created_at: OPENED,
    email_confirmed_at: OPENED,
  }))
  await tx.insertInto('users').values(rows).execute()
  for (const { id, role } of people) if (role === 'PARENT') await openWallet(tx, id)
}

/** Puts the price of what a person bought into the wallet and buys it like anybody would. */
async function buy(tx: Tx, { id, bought }: DemoPerson, { documents }: DemoShop): Promise<void> {
  if (bought.length === 0) return
  const prices = bought.map((document) => {
    const { price, discount } = entryOf(documents, 'id', document)
    const priceDiscount = discount === undefined ? null : dinars(discount)
    return finalPrice({ price: dinars(price), priceDiscount })
  })
  const amount = prices.reduce((sum, price) => sum + price, 0)
  await adjustWallet(tx, { userId: id, amount, note: 'demo purchases' })
  await purchase(tx, { buyerId: id, documentIds: bought })
}

async function rate(tx: Tx, { id, ratings }: DemoPerson): Promise<void> {
  if (ratings.length === 0) return
  const rows = ratings.map(({ document, teacher, stars, comment, at }) => ({
    document_id: document ?? null,
    teacher_id: teacher ?? null,
    stars,
    comment,
    user_id: id,
    created_at: at,
  }))
  await tx.insertInto('ratings').values(rows).execute()
}

/** A short conversation with the shop, whose last message the customer has not read. */
async function writeConversation(tx: Tx, { conversation, accounts }: DemoShop): Promise<void> {
  const idOf = (email: string) => entryOf(accounts, 'email', email).id
  const people = [...new Set(conversation.map(({ from }) => from))].map(idOf)
  const [customer = 0, administrator = 0] = people
  const id = roomId(customer, administrator)
  await tx
    .insertInto('chat_rooms')
    .values({ id, customer_id: customer, administrator_id: administrator })
    .execute()
  const ids: number[] = []
  // One after the other: their ids are their order.
  for (const { from, at, text } of conversation) {
    const sender = idOf(from)
    const row = await tx
      .insertInto('chat_messages')
      .values({
        room_id: id,
        sender_id: sender,
        receiver_id: sender === customer ? administrator : customer,
        content: text,
        client_id: null,
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(row.id)
  }
  const last = ids.at(-1) ?? 0
  await tx.updateTable('chat_rooms').set({ last_message_id: last }).where('id', '=', id).execute()
  await tx
    .insertInto('chat_readers')
    .values([
      { room_id: id, user_id: administrator, read_up_to: last },
      { room_id: id, user_id: customer, read_up_to: ids.at(-2) ?? 0 },
    ])
    .execute()
}
