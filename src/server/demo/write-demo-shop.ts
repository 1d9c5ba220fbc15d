import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fullName } from '../../rules/full-name.ts'
import { dinars } from '../../rules/money.ts'
import { portraitPath } from '../../rules/pictures.ts'
import { searchText, writeSchoolLists } from '../catalogue/catalogue.ts'
import { advanceIds } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import { writeFirstVersions } from '../documents/documents.ts'
import type { Storage, StoredFile } from '../files/files.ts'
import { adjustWallet, openWallet, purchase } from '../money/money.ts'
import {
  DEMO_DATA,
  type DemoPerson,
  type DemoShop,
  entryOf,
  finalPriceOf,
  readPrinted,
} from './demo-data.ts'
import { writeConversations } from './write-conversations.ts'
import {
  writeOffice,
  writeOfficeFigures,
  writeOfficeGoods,
  writeOfficeMoney,
  writeReview,
} from './write-office.ts'

const OPENED = new Date('2026-01-15T08:00:00Z')

export async function writeDemoShop(
  tx: Tx,
  shop: DemoShop,
  made: {
    files: readonly PrintedFile[]
    /** Addresses of the teachers' pictures, by id. */
    portraits: ReadonlyMap<number, string>
    hashes: { known: string; unknown: string }
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
    username: fullName(person),
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

const JOINED = new Date('2024-12-11T08:00:00Z')

async function writeTeachers(
  tx: Tx,
  { teachers, accounts, lists }: DemoShop,
  portraits: ReadonlyMap<number, string>,
): Promise<void> {
  const featured = teachers.filter(({ isFeatured }) => isFeatured)
  const rows = teachers.map(({ account, subjects: _, isFeatured: __, ...teacher }) => ({
    ...teacher,
    featuredPlace: placeIn(featured, teacher.id),
    userId: account ? entryOf(accounts, 'email', account).id : null,
    picturePath: portraits.get(teacher.id) ?? null,
    createdAt: JOINED,
  }))
  await tx.insertInto('teachers').values(rows).execute()
  const taught = teachers.flatMap(({ id, subjects }) =>
    subjects.map((code) => ({
      teacherId: id,
      matiereId: entryOf(lists.subjects, 'code', code).id,
    })),
  )
  await tx.insertInto('teacherSubjects').values(taught).execute()
}

/** The place of an item among the featured ones; null if it is not featured. */
function placeIn(featured: readonly { id: number }[], id: number): number | null {
  const at = featured.findIndex((each) => each.id === id)
  return at < 0 ? null : at + 1
}

/** The id of the cover of a colour; null if none has it. */
function coverOf({ covers }: DemoShop, wanted: string | undefined): number | null {
  const at = covers.findIndex(({ color }) => color === wanted)
  return at < 0 ? null : at + 1
}

async function writeFiles(tx: Tx, files: readonly PrintedFile[]): Promise<void> {
  const rows = files.map((file) => ({
    id: file.documentId,
    storageKey: file.key,
    mediaType: 'application/pdf',
    fileType: 'pdf',
    size: file.size,
    sha256: file.sha256,
    pageCount: file.pages,
  }))
  await tx.insertInto('files').values(rows).execute()
}

/** Writes the documents with earlier sales, which count for their teachers too. */
async function writeDocuments(tx: Tx, shop: DemoShop): Promise<void> {
  await tx
    .insertInto('coverMappings')
    .values(
      shop.covers.map(({ color, names, isRetired }, at) => ({
        id: at + 1,
        name: names.ar,
        names: JSON.stringify(names),
        position: at + 1,
        coverPath: null,
        livrePath: null,
        ...{ color, isRetired },
      })),
    )
    .execute()

  const featured = shop.documents
    .filter(({ isFeatured }) => isFeatured)
    .sort((a, b) => b.uploadedAt.getTime() - a.uploadedAt.getTime())
  const sales = new Map<number, number>()
  const rows = shop.documents.map((document) => {
    sales.set(document.teacher, (sales.get(document.teacher) ?? 0) + document.sales)
    const teacher = entryOf(shop.teachers, 'id', document.teacher)
    const subject = entryOf(shop.lists.subjects, 'code', document.subject)
    const schoolClass = entryOf(shop.lists.classes, 'code', document.schoolClass)
    return {
      id: document.id,
      reference: `demo-${document.id}`,
      teacherId: teacher.id,
      title: document.title,
      description: document.description,
      price: dinars(document.price),
      priceDiscount: document.discount === undefined ? null : dinars(document.discount),
      categoryId: entryOf(shop.lists.categories, 'code', document.category).id,
      matiereId: subject.id,
      niveauId: schoolClass.id,
      level: schoolClass.level,
      audience: document.forTeachers ? ('Pour Enseignant' as const) : ('Pour Élève' as const),
      searchText: searchText({
        title: document.title,
        teacher: `${fullName(teacher)} ${teacher.latinName}`,
      }),
      fileId: document.id,
      // The first page of each is its cover.
      samplePages: [2],
      coverPath: null,
      livrePath: null,
      coverMappingId: coverOf(shop, document.coverColor),
      featuredPlace: placeIn(featured, document.id),
      salesCount: document.sales,
      state: 'published' as const,
      createdAt: document.uploadedAt,
      changedAt: document.uploadedAt,
      firstPublishedAt: document.uploadedAt,
      uploadedAt: document.uploadedAt,
    }
  })
  await tx.insertInto('documents').values(rows).execute()
  await writeFirstVersions(tx)
  for (const [id, count] of sales) {
    await tx.updateTable('teachers').set({ salesCount: count }).where('id', '=', id).execute()
  }
}

interface PrintedFile extends StoredFile {
  readonly documentId: number
  readonly pages: number
}

export async function storePrinted(
  { documents }: DemoShop,
  storage: Storage,
): Promise<PrintedFile[]> {
  const printed = await readPrinted()
  return Promise.all(
    documents.map(async ({ id }) => {
      const { pages } = entryOf(printed, 'id', id)
      const bytes = await readFile(join(DEMO_DATA, 'printed', `${id}.pdf`))
      return { ...(await storage.put(bytes, 'pdf')), documentId: id, pages }
    }),
  )
}

/** Stores the drawn portraits; returns their addresses by the teachers' ids. */
export async function storePortraits(storage: Storage): Promise<Map<number, string>> {
  const folder = join(DEMO_DATA, 'portraits')
  const paths = new Map<number, string>()
  for (const name of await readdir(folder)) {
    const { sha256 } = await storage.put(await readFile(join(folder, name)), 'webp')
    paths.set(Number.parseInt(name, 10), portraitPath(sha256))
  }
  return paths
}
