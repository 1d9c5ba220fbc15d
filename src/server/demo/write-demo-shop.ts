import { dinars } from '../../rules/money.ts'
import { writeSchoolLists } from '../catalogue/catalogue.ts'
import { advanceIds } from '../database/advance-ids.ts'
import type { Tx } from '../database/transaction.ts'
import { adjustWallet, openWallet, purchase } from '../money/money.ts'
import { type DemoPerson, type DemoShop, finalPriceOf } from './demo-data.ts'
import type { PrintedFile } from './printed-files.ts'
import { writeDocuments, writeFiles, writeTeachers } from './write-catalogue.ts'
import { writeConversations } from './write-conversations.ts'
import { writeOffice } from './write-office.ts'
import { writeOfficeFigures } from './write-office-figures.ts'
import { writeOfficeGoods } from './write-office-goods.ts'
import { writeOfficeMoney } from './write-office-money.ts'
import { writeReview } from './write-review.ts'

/** When the demo accounts were opened. */
const OPENED = new Date('2026-01-15T08:00:00Z')

/** Writes the whole demo shop into an empty database. */
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
  await writeOfficeFigures(tx, shop)
  await writeOfficeGoods(tx)
  await writeReview(tx, shop.review)
  await writeConversations(tx, { shop, siteUrl: made.siteUrl, opened: OPENED })
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

/** Adds the price of a person's documents to the wallet, and buys them as any customer would. */
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
