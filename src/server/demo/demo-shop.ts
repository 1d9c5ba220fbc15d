import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { finalPrice } from '../../rules/discount.ts'
import { dinars } from '../../rules/money.ts'
import { hashPassword } from '../accounts/passwords.ts'
import type { Database } from '../database/pool.ts'
import type { AccountRole } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { storageIn } from '../library/storage.ts'
import { adjustWallet, openWallet } from '../wallet/ledger.ts'
import { purchase } from '../wallet/purchase.ts'
import { writeConversation } from './conversation.ts'
import { DEMO_DOCUMENTS } from './documents/index.ts'
import { DEMO_ACCOUNTS, DEMO_PASSWORD, DEMO_READERS } from './people.ts'
import { type PrintedFile, printDocuments } from './print-documents.ts'
import { type Random, randomFrom } from './random.ts'
import { aRating } from './ratings.ts'
import { DEMO_DATE, writeDocuments, writeFiles, writeTeachers } from './write-catalogue.ts'
import { advanceIds, isEmptyShop, writeTaxonomy } from './write-shop.ts'

/** What `parent@karras.test` has bought: ids of `DEMO_DOCUMENTS`. */
const BOUGHT_BY_PARENT = [1, 3]

/** Any number that nothing else of ours locks. */
const FILLING = 7_201_956

const HOUR = 3_600_000

/** An account whose password everybody can read. */
export interface DemoAccount {
  readonly email: string
  readonly role: AccountRole
  readonly password: string
}

/**
 * Fills an empty database with the demo shop (decisions §2), its files first: all of it, or
 * nothing. Returns false when the database is not empty. Takes about 3 seconds.
 */
export async function fillDemoShop({
  database,
  config,
}: Pick<Deps, 'database' | 'config'>): Promise<boolean> {
  if (!(await isEmptyShop(database.kysely))) return false
  const files = await printDocuments(storageIn(config.dataDir))
  const hashes = {
    known: await hashPassword(DEMO_PASSWORD),
    unknown: await hashPassword(randomUUID()),
  }
  return transaction(database, async (tx) => {
    // Two instances that start together: the second one finds the shop full.
    await sql`SELECT pg_advisory_xact_lock(${FILLING})`.execute(tx)
    if (!(await isEmptyShop(tx))) return false
    await writeShop(tx, files, hashes)
    return true
  })
}

/** The demo accounts that are in this database. */
export async function demoAccounts({ kysely }: Database): Promise<DemoAccount[]> {
  const known = DEMO_ACCOUNTS.map(({ email }) => email)
  const rows = await kysely
    .selectFrom('users')
    .select(['email', 'role'])
    .where('is_demo', '=', true)
    .where('email', 'in', known)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, password: DEMO_PASSWORD }))
}

async function writeShop(
  tx: Tx,
  files: readonly PrintedFile[],
  hashes: { known: string; unknown: string },
): Promise<void> {
  const random = randomFrom(1956)
  await writeTaxonomy(tx)
  await writePeople(tx, hashes)
  await writeTeachers(tx)
  await writeFiles(tx, files)
  await writeDocuments(tx, random)
  await advanceIds(tx)

  for (const [at, account] of DEMO_ACCOUNTS.entries()) {
    if (account.balance === 0) continue
    const note = 'demo balance'
    await adjustWallet(tx, { userId: at + 1, amount: dinars(account.balance), note })
  }
  await buy(tx, 1, BOUGHT_BY_PARENT)
  await writeConversation(tx)
  for (const at of DEMO_READERS.keys()) {
    await writeReader(tx, DEMO_ACCOUNTS.length + at + 1, random)
  }
}

async function writePeople(tx: Tx, hashes: { known: string; unknown: string }): Promise<void> {
  const people = [...DEMO_ACCOUNTS, ...DEMO_READERS].map((person, at) => ({
    id: at + 1,
    email: person.email,
    phone: person.phone,
    username: `${person.firstName} ${person.lastName}`,
    first_name: person.firstName,
    last_name: person.lastName,
    gender: person.gender,
    role: person.role,
    password_hash: at < DEMO_ACCOUNTS.length ? hashes.known : hashes.unknown,
    is_demo: true,
    created_at: new Date(DEMO_DATE),
    email_confirmed_at: new Date(DEMO_DATE),
  }))
  await tx.insertInto('users').values(people).execute()
  for (const { id, role } of people) if (role === 'PARENT') await openWallet(tx, id)
}

/** Puts the price of these documents into the wallet and buys them like anybody would. */
async function buy(tx: Tx, buyerId: number, documentIds: readonly number[]): Promise<void> {
  const amount = documentIds.reduce((sum, id) => sum + priceOf(id), 0)
  await adjustWallet(tx, { userId: buyerId, amount, note: 'demo purchases' })
  await purchase(tx, { buyerId, documentIds })
}

function priceOf(documentId: number): number {
  const document = DEMO_DOCUMENTS[documentId - 1]
  if (!document) throw new RangeError(`no demo document ${documentId}`)
  return finalPrice({
    price: dinars(document.price),
    priceDiscount: document.discount === undefined ? null : dinars(document.discount),
  })
}

/** A reader's purchases, and the ratings of most of them and of their teachers. */
async function writeReader(tx: Tx, readerId: number, random: Random): Promise<void> {
  const bought = DEMO_DOCUMENTS.map((_, at) => at + 1).filter(() => random.between(1, 3) === 1)
  await buy(tx, readerId, bought)

  const teachers = new Set(bought.map((id) => DEMO_DOCUMENTS[id - 1]?.teacher ?? 1))
  const documents = bought.filter(() => random.between(1, 4) > 1)
  const subjects = [
    ...documents.map((id) => ({ document_id: id, teacher_id: null })),
    ...[...teachers].map((id) => ({ document_id: null, teacher_id: id })),
  ]
  const rows = subjects.map((subject) => ({
    ...subject,
    ...aRating(random),
    user_id: readerId,
    created_at: new Date(DEMO_DATE - random.between(1, 60 * 24) * HOUR),
  }))
  await tx.insertInto('ratings').values(rows).execute()
}
