import { sql } from 'kysely'
import type { Listed, ListedClass } from '../../contract/references.ts'
import type { InEachLanguage } from '../../rules/languages.ts'
import type { Database } from '../database/pool.ts'
import { idsOf, presentNamed, SUBJECTS_OF_CLASS, type SubjectsOfClass } from './names.ts'

/** The column of documents that refers to a list, and what it refers by. */
const COLUMNS = {
  categories: ['category_id', 'id'],
  matieres: ['matiere_id', 'id'],
  niveaux: ['niveau_id', 'id'],
  paper_kinds: ['paper_kind', 'code'],
} as const

/**
 * A list in its order, including retired entries, so that a choice made before the retirement still
 * shows the entry's name.
 */
export async function readListed<Table extends keyof typeof COLUMNS>(
  { database }: { database: Pick<Database, 'kysely'> },
  table: Table,
): Promise<(Table extends 'niveaux' ? ListedClass : Listed)[]> {
  const [column, key] = COLUMNS[table]
  const ofClass = table === 'niveaux' ? sql`, entry.level, ${SUBJECTS_OF_CLASS}` : sql``
  const { rows } = await sql<
    Listed & {
      names: InEachLanguage | null
      retired: Listed['retired'] | null
      subjects?: SubjectsOfClass | null
    }
  >`
    SELECT entry.id, entry.name, entry.code, entry.names${ofClass}, CASE
      WHEN NOT entry.is_retired THEN NULL
      WHEN EXISTS (
        SELECT FROM documents
        WHERE ${sql.ref(column)} = ${sql.ref(`entry.${key}`)} AND is_published
      ) THEN 'in use' ELSE 'unused' END AS retired
    FROM ${sql.table(table)} AS entry ORDER BY entry.position, entry.id`.execute(database.kysely)
  return rows.map(({ retired, subjects, ...row }) => ({
    ...presentNamed(row),
    ...(retired && { retired }),
    ...(subjects && { subjectIds: idsOf(subjects) }),
  }))
}
