import type { Insertable } from 'kysely'
import { dinars, type Millimes } from '../../src/rules/money.ts'
import type { Audience, Level } from '../../src/rules/price-bands.ts'
import { searchText } from '../../src/server/catalogue/search/search-text.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { writeFirstVersions } from '../../src/server/documents/documents.ts'
import { type Storage, storageIn } from '../../src/server/files/storage.ts'
import { adjustWallet, openWallet } from '../../src/server/money/ledger.ts'
import { type PersonOptions, people, type Registry, withOfficeToken } from './people.ts'
import { storeCover } from './picture.ts'

export { PASSWORD, type Person } from './people.ts'

/** What the factories write to. */
export interface Shop extends Registry {
  /** The directory of files; absolute. */
  readonly dataDir: string
  /** Used instead of the files in `dataDir`. */
  readonly files?: Storage
}

interface TeacherOptions {
  firstName?: string
  lastName?: string
  email?: string
  bio?: string
  isFeatured?: boolean
  /** The account that this teacher logs in to the office with; none by default. */
  userId?: number
}

interface DocumentOptions {
  title?: string
  description?: string
  price?: Millimes
  priceDiscount?: Millimes | null
  teacherId?: number
  categoryId?: number
  matiereId?: number
  niveauId?: number
  audience?: Audience
  isPublished?: boolean
  isFeatured?: boolean
  uploadedAt?: Date
  /** The downloadable file; a small PDF by default. */
  file?: Uint8Array
  /** Its page count; 1 by default. */
  pages?: number
  /** An uploaded picture, or the value of `coverPath`. */
  cover?: Uint8Array | string
}

/** The smallest possible PDF; nobody opens it. */
const SMALL_PDF: Uint8Array = new TextEncoder().encode('%PDF-1.4\n%%EOF\n')

export type Factories = ReturnType<typeof factories>

/** Creates what a test needs, with any parents that it does not name. */
export function factories({
  database,
  secret,
  dataDir,
  files: storage = storageIn(dataDir),
  now,
  firstNumber = 0,
}: Shop) {
  const { kysely } = database
  const aPerson = people({ database, secret, now, firstNumber })
  let count = firstNumber

  async function aTeacher(options: TeacherOptions = {}) {
    count++
    const row = {
      firstName: options.firstName ?? 'Sami',
      lastName: options.lastName ?? `Trabelsi ${count}`,
      email: options.email ?? `teacher${count}@karras.test`,
      bio: options.bio ?? '',
      featuredPlace: options.isFeatured ? 1 : null,
    }
    const { id } = await kysely
      .insertInto('teachers')
      .values({ ...row, userId: options.userId ?? null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, name: `${row.firstName} ${row.lastName}` }
  }

  async function aListEntry(table: 'categories' | 'matieres', name: string): Promise<number> {
    const row = { name, code: `entry-${++count}` }
    const { id } = await kysely
      .insertInto(table)
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  /** The default entry of a list: lists have a limit, and many files share a shop. */
  async function defaultOf(
    table: 'categories' | 'matieres' | 'niveaux',
    name: string,
  ): Promise<number> {
    const code = 'usual'
    const insert =
      table === 'niveaux'
        ? kysely
            .insertInto(table)
            .values({ name, code, level: 'primary-school', position: ++count })
        : kysely.insertInto(table).values({ name, code })
    // Several files may create their first document concurrently.
    await insert.onConflict((conflict) => conflict.column('code').doNothing()).execute()
    const { id } = await kysely
      .selectFrom(table)
      .select('id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
    return id
  }

  async function aClass(level: Level = 'primary-school', name = 'السنة السادسة'): Promise<number> {
    count++
    const { id } = await kysely
      .insertInto('niveaux')
      .values({ name, code: `class-${count}`, level, position: count })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  async function aFile(bytes: Uint8Array = SMALL_PDF, pageCount = 1): Promise<number> {
    const { key, size, sha256 } = await storage.put(bytes, 'pdf')
    const { id } = await kysely
      .insertInto('files')
      .values({
        storageKey: key,
        mediaType: 'application/pdf',
        fileType: 'pdf',
        size,
        sha256,
        pageCount,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  async function aDocument(options: DocumentOptions = {}) {
    const { cover } = options
    count++
    const title = options.title ?? `Document ${count}`
    const teacherId = options.teacherId ?? (await aTeacher()).id
    const matiereId = options.matiereId ?? (await defaultOf('matieres', 'مادة'))
    const niveauId = options.niveauId ?? (await defaultOf('niveaux', 'السنة السادسة'))
    const price = options.price ?? dinars(5)
    const teacher = await nameOf('teachers', teacherId)
    const { level } = await kysely
      .selectFrom('niveaux')
      .select('level')
      .where('id', '=', niveauId)
      .executeTakeFirstOrThrow()
    const { id } = await kysely
      .insertInto('documents')
      .values({
        teacherId,
        title,
        description: options.description ?? '',
        price,
        priceDiscount: options.priceDiscount ?? null,
        categoryId: options.categoryId ?? (await defaultOf('categories', 'صنف')),
        matiereId,
        niveauId,
        level,
        audience: options.audience ?? 'Pour Élève',
        searchText: searchText({ title, teacher }),
        fileId: await aFile(options.file, options.pages),
        coverPath: typeof cover === 'object' ? await storeCover(storage, cover) : cover,
        livrePath: null,
        coverMappingId: null,
        state: options.isPublished === false ? 'unpublished' : 'published',
        firstPublishedAt: options.uploadedAt ?? new Date(),
        featuredPlace: options.isFeatured ? 1 : null,
        uploadedAt: options.uploadedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeFirstVersions(kysely)
    return { id, title, price, priceDiscount: options.priceDiscount ?? null, teacherId }
  }

  async function nameOf(table: 'teachers' | 'matieres', id: number): Promise<string> {
    if (table === 'matieres') {
      const row = await kysely
        .selectFrom(table)
        .select('name')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return row.name
    }
    const row = await kysely
      .selectFrom(table)
      .select(['firstName', 'lastName'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return `${row.firstName} ${row.lastName}`
  }

  return {
    aTeacher,
    aClass,
    aFile,
    aDocument,
    /** A document at each of these prices, in dinars. */
    async documentsAt<Prices extends number[]>(...prices: Prices) {
      const documents = []
      for (const price of prices) documents.push(await aDocument({ price: dinars(price) }))
      return documents as { [place in keyof Prices]: Awaited<ReturnType<typeof aDocument>> }
    },
    /** A bundle for sale of a teacher's documents. */
    async aBundle({
      documents,
      price,
      teacherId,
    }: {
      documents: readonly { id: number }[]
      price: Millimes
      teacherId: number
    }) {
      const bundle = await kysely
        .insertInto('bundles')
        .values({ teacherId, price })
        .returning('id')
        .executeTakeFirstOrThrow()
      const rows = documents.map(({ id }) => ({ bundleId: bundle.id, documentId: id }))
      await kysely.insertInto('bundleDocuments').values(rows).execute()
      return bundle
    },
    /** A code that works for all documents: the shop's, or a teacher's. */
    async aCode({
      code = `CODE-${++count}`,
      ...rest
    }: Partial<Insertable<Schema['discountCodes']>>) {
      const row: Omit<Insertable<Schema['discountCodes']>, 'code'> = {
        ...{ percent: null, atMost: null, amount: null, scope: 'all', endsAt: null },
        ...{ usesMax: null, usesPerPerson: null, leastTotal: null, teacherId: null },
        ...{ startsAt: new Date(0), createdAt: new Date(0) },
      }
      return kysely
        .insertInto('discountCodes')
        .values({ ...row, code, ...rest })
        .returning(['id', 'code'])
        .executeTakeFirstOrThrow()
    },
    aCategory: (name = 'Cours') => aListEntry('categories', name),
    aMatiere: (name = 'Mathématiques') => aListEntry('matieres', name),

    /** A customer, whose wallet is filled by a real ledger entry. */
    async aCustomer({ balance = 0, ...options }: PersonOptions & { balance?: Millimes } = {}) {
      const customer = await aPerson('PARENT', options)
      await openWallet(kysely, customer.id)
      if (balance > 0) {
        await transaction(database, (tx) =>
          adjustWallet(tx, { userId: customer.id, amount: balance, note: 'test' }),
        )
      }
      return customer
    },
    /** A teacher of the catalogue, logged in to the office with both factors. */
    async anOfficeTeacher({
      bio = 'أدرّس منذ سنين.',
      ...options
    }: PersonOptions & { bio?: string } = {}) {
      const person = await withOfficeToken({ secret, now }, await aPerson('TEACHER', options))
      const { firstName, lastName } = options
      const { id } = await aTeacher({
        ...(firstName && { firstName }),
        ...(lastName && { lastName }),
        email: person.email,
        userId: person.id,
        bio,
      })
      return { ...person, teacherId: id }
    },
    /** An administrator, logged in to the office with both factors. */
    anOfficeAdministrator: async (options: PersonOptions = {}) =>
      withOfficeToken({ secret, now }, await aPerson('ADMIN', options)),
    anAdministrator: (options: PersonOptions = {}) => aPerson('ADMIN', options),
    /** A teacher's account as the office sees it, without a teacher in the catalogue. */
    aTeacherAccount: (options: PersonOptions = {}) => aPerson('TEACHER', options),
  }
}
