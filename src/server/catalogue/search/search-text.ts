import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Named } from '../../../contract/references.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { type NamedEntry, nameIn } from '../../../rules/catalogue-names.ts'
import { LANGUAGES, type Language } from '../../../rules/languages.ts'
import { foldQuery, foldWords } from '../../../rules/search-fold.ts'
import {
  isFunctionWord,
  NAMED_LISTS,
  type NamedList,
  otherWords,
  withChatLetters,
} from '../../../rules/search-words.ts'
import type { Schema } from '../../database/schema.ts'
import type { Tx } from '../../database/transaction.ts'
import { type NamesOfCatalogue, readNames } from '../names.ts'

/** The texts of a document that a search compares (docs/shop/pages.md#search). */
interface Searchable {
  readonly title: string
  /** In Arabic or Latin letters. */
  readonly teacher: string
}

/**
 * The stored form that searches look into: ` word word … `, folded. The space at both ends lets
 * `% word %` find whole words and `% wor%` prefixes, including those of the first and last words.
 */
export function searchText({ title, teacher }: Searchable): string {
  return ` ${[title, teacher].flatMap(foldWords).join(' ')} `
}

/** Rewrites the search texts of a teacher's documents after the teacher's name has changed. */
export async function rewriteSearchTexts(tx: Tx, teacherId: number): Promise<void> {
  // Locked: a title that is saved meanwhile is either read afterwards or saved with the new names.
  const { rows } = await sql<Searchable & { id: number }>`
    SELECT d.id, d.title, concat_ws(' ', t.first_name, t.last_name, t.latin_name) AS teacher
    FROM documents d JOIN teachers t ON t.id = d.teacher_id
    WHERE d.teacher_id = ${teacherId} ORDER BY d.id FOR NO KEY UPDATE OF d`.execute(tx)
  await sql`
    UPDATE documents SET search_text = found.text
    FROM unnest(${rows.map(({ id }) => id)}::integer[], ${rows.map(searchText)}::text[])
      AS found (id, text)
    WHERE documents.id = found.id`.execute(tx)
}

/** The texts by which the documents of an entry are found, by list and id of the entry. */
export type EntryTexts = Readonly<Record<NamedList, ReadonlyMap<number, readonly string[]>>>

/** The names of subjects, kinds and classes in every language, and other words for them. */
export function entryTexts({ matieres, categories, classes }: NamesOfCatalogue): EntryTexts {
  const textsOf = <Entry extends Named>(
    list: NamedList,
    entries: ReadonlyMap<number, Entry>,
    more: (entry: Entry) => string[] = () => [],
  ) =>
    new Map(
      [...entries].map(([id, entry]) => [id, [...searchedNames(list, entry), ...more(entry)]]),
    )
  return {
    subjects: textsOf('subjects', matieres),
    kinds: textsOf('kinds', categories),
    classes: textsOf('classes', classes, ({ level }) =>
      LANGUAGES.map((language) => TEXTS[language].catalogue.levels[level].name),
    ),
  }
}

const TABLES = { subjects: 'matieres', kinds: 'categories', classes: 'niveaux' } as const

/** The texts by which documents of an entry are found. */
export function searchedNames(list: NamedList, entry: NamedEntry): string[] {
  const table = TABLES[list]
  return [
    ...LANGUAGES.map((language) => nameIn(language, entry, translated(table, language))),
    ...(hasNameOfCode(table, entry) ? [otherWords(list, entry.code)] : []),
  ]
}

type Table = (typeof TABLES)[NamedList]

const translated = (table: Table, language: Language): Readonly<Record<string, string>> =>
  TEXTS[language].catalogue[table]

/** Whether an entry means what its code says: administrators may give it another meaning. */
export function hasNameOfCode(table: Table, { code, names }: NamedEntry): boolean {
  return LANGUAGES.some(
    (language) => !names?.[language] || names[language] === translated(table, language)[code ?? ''],
  )
}

/**
 * A condition for each word of a search: the document `d` has it in its title, its teacher's name,
 * or a name of its subject, kind or class.
 */
export async function conditionsOf(
  db: Kysely<Schema>,
  search: string,
): Promise<RawBuilder<unknown>[]> {
  const words = foldQuery(withChatLetters(search)).filter((...word) => !isFunctionWord(...word))
  if (words.length === 0) return []
  const texts = entryTexts(await readNames(db))
  const columns = { subjects: 'd.matiere_id', kinds: 'd.category_id', classes: 'd.niveau_id' }
  return words.map((word) => {
    const named = NAMED_LISTS.flatMap((list) => {
      const ids = [...texts[list]].flatMap(([id, names]) =>
        names.flatMap(foldWords).some((each) => each.startsWith(word)) ? [id] : [],
      )
      return ids.length > 0 ? [sql`${sql.ref(columns[list])} = ANY (${ids}::integer[])`] : []
    })
    // Folded words are letters and digits only: there is no wildcard in them to escape.
    return sql`(${sql.join([sql`d.search_text LIKE ${`%${word}%`}`, ...named], sql` OR `)})`
  })
}
