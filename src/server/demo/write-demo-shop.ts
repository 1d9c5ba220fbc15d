import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '../../rules/durations.ts'
import { fullName } from '../../rules/full-name.ts'
import { dinars } from '../../rules/money.ts'
import { numberedPath } from '../../rules/numbered-pages.ts'
import { portraitPath } from '../../rules/pictures.ts'
import { samplePagesOf } from '../../rules/reading.ts'
import { roomId } from '../../rules/room.ts'
import { searchText, writeSchoolLists } from '../catalogue/catalogue.ts'
import { shopAccount } from '../chat/chat.ts'
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
  await writeDocuments(tx, shop, made.files)
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
    contactEmail: teacher.email,
    featuredPlace: placeIn(featured, teacher.id),
    userId: account ? entryOf(accounts, 'email', account).id : null,
    picturePath: portraits.get(teacher.id) ?? null,
    createdAt: JOINED,
    approvedAt: JOINED,
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

/** Writes the documents with their earlier sales. */
async function writeDocuments(
  tx: Tx,
  shop: DemoShop,
  files: readonly PrintedFile[],
): Promise<void> {
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
  const pages = new Map(files.map((file) => [file.documentId, file.pages]))
  const rows = shop.documents.map((document) => {
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
      samplePages: samplePagesOf([2, 3, 4, 5], pages.get(document.id) ?? 0),
      coverPath: null,
      livrePath: null,
      coverMappingId: coverOf(shop, document.coverColor),
      ...document.details,
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

async function writeConversations(
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
