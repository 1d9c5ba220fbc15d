import type { Kysely } from 'kysely'
import { LOCALES } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { type NamedEntry, nameIn } from '../../../rules/catalogue-names.ts'
import type { Level } from '../../../rules/price-bands.ts'
import type { Schema } from '../../database/schema.ts'
import type { Listed, Shop } from './check-rows.ts'

/** The reference lists and people of the shop with which the rows of a list are compared. */
export async function readShop(db: Kysely<Schema>): Promise<Shop> {
  const [subjects, classes, categories, teachers, accounts] = await Promise.all([
    db.selectFrom('matieres').select(ENTRY).orderBy('position').orderBy('id').execute(),
    db
      .selectFrom('niveaux')
      .select([...ENTRY, 'level'])
      .orderBy('position')
      .orderBy('id')
      .execute(),
    db.selectFrom('categories').select(ENTRY).orderBy('position').orderBy('id').execute(),
    db.selectFrom('teachers').select('email').execute(),
    db.selectFrom('users').select('email').where('role', '<>', 'TEACHER').execute(),
  ])
  return {
    subjects: subjects.map((row) => withNames(row, 'matieres')),
    classes: classes.map((row) => ({ ...withNames(row, 'niveaux'), level: row.level as Level })),
    categories: categories.map((row) => withNames(row, 'categories')),
    teachers: new Set(teachers.map(({ email }) => email.toLowerCase())),
    otherAccounts: new Set(accounts.map(({ email }) => email)),
  }
}

const ENTRY = ['id', 'name', 'code', 'names', 'isRetired'] as const

interface NamedRow extends NamedEntry {
  readonly id: number
  readonly code: string | null
  readonly isRetired: boolean
}

function withNames(row: NamedRow, list: 'matieres' | 'niveaux' | 'categories'): Listed {
  const { id, code, name, isRetired } = row
  const inLanguages = LOCALES.map((locale) => nameIn(locale, row, TEXTS[locale].catalogue[list]))
  return {
    id,
    isRetired,
    code,
    inLanguages,
    names: [...(code ? [code] : []), name, ...inLanguages],
  }
}

/** An existing document, as far as a list can change it; `sha256` is that of its file. */
export type KnownDocument = Awaited<ReturnType<ReturnType<typeof knownQuery>['execute']>>[number]

/** The documents with these references, by reference; within a transaction they are locked. */
export async function readKnown(
  db: Kysely<Schema>,
  references: readonly string[],
): Promise<Map<string, KnownDocument>> {
  const query = knownQuery(db).where('d.reference', 'in', references)
  const rows = await (db.isTransaction ? query.forNoKeyUpdate('d') : query).execute()
  return new Map(rows.map((row) => [row.reference, row]))
}

function knownQuery(db: Kysely<Schema>) {
  return db
    .selectFrom('documents as d')
    .innerJoin('teachers as t', 't.id', 'd.teacherId')
    .leftJoin('files as f', 'f.id', 'd.fileId')
    .selectAll('d')
    .select(['t.email as teacherEmail', 'f.sha256'])
    .orderBy('d.id')
}
