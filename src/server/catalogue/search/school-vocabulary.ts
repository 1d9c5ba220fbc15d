import { type Kysely, sql } from 'kysely'
import type { Named } from '../../../contract/references.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { nameIn } from '../../../rules/catalogue-names.ts'
import { LANGUAGES } from '../../../rules/languages.ts'
import { vocabularyOf } from '../../../rules/school-words.ts'
import type { Schema } from '../../database/schema.ts'
import type { SchoolWords } from '../../deps.ts'
import type { NamesOfCatalogue } from '../names.ts'
import { hasNameOfCode } from './search-text.ts'

/** What an index has until it has read the shop's. */
export const NO_SCHOOL_WORDS: SchoolWords = {
  vocabulary: vocabularyOf({ subjects: [], classes: [] }),
  subjectIds: new Map(),
  classIds: new Map(),
  categoryIds: new Map(),
}

export async function schoolWordsOf(
  db: Kysely<Schema>,
  { matieres, classes, categories, kinds }: NamesOfCatalogue,
): Promise<SchoolWords> {
  const { rows } = await sql<{ classId: number; subjectId: number }>`
    SELECT niveau_id AS "classId", matiere_id AS "subjectId" FROM class_subjects`.execute(db)
  const subjectsOf = Map.groupBy(rows, ({ classId }) => classId)
  const entryOf = (list: 'matieres' | 'niveaux', entry: Named & { code: string }) => ({
    code: entry.code,
    names: LANGUAGES.map((language) =>
      nameIn(language, entry, TEXTS[language].catalogue[list] as Readonly<Record<string, string>>),
    ),
    isRenamed: !hasNameOfCode(list, entry),
  })
  return {
    vocabulary: vocabularyOf({
      subjects: coded(matieres).map(([, entry]) => entryOf('matieres', entry)),
      classes: coded(classes).map(([id, entry]) => ({
        ...entryOf('niveaux', entry),
        subjects: (subjectsOf.get(id) ?? []).flatMap(
          ({ subjectId }) => matieres.get(subjectId)?.code ?? [],
        ),
      })),
      kinds: [...kinds].map(([code, { names }]) => ({ code, names: Object.values(names) })),
    }),
    subjectIds: idsByCode(matieres),
    classIds: idsByCode(classes),
    categoryIds: idsByCode(categories),
  }
}

const coded = (entries: ReadonlyMap<number, Named>) =>
  [...entries].flatMap(([id, { code, ...entry }]) =>
    code ? [[id, { ...entry, code }] as const] : [],
  )

const idsByCode = (entries: ReadonlyMap<number, Named>) =>
  new Map(coded(entries).map(([id, { code }]) => [code, id]))
