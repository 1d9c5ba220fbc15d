import { sql } from 'kysely'
import type { Listed, ListedClass } from '../../contract/references.ts'
import type { InEachLanguage } from '../../rules/languages.ts'
import type { Database } from '../database/pool.ts'
import { idsOf, presentNamed, SUBJECTS_OF_CLASS, type SubjectsOfClass } from './names.ts'

const COLUMNS = { categories: 'category_id', matieres: 'matiere_id', niveaux: 'niveau_id' } as const

/**
 * A list in its order, including retired entries, so that a choice made before the retirement still
 * shows the entry's name.
 */
export async function readListed<Table extends keyof typeof COLUMNS>(
  { database }: { database: Pick<Database, 'kysely'> },
  table: Table,
): Promise<(Table extends 'niveaux' ? ListedClass : Listed)[]> {
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
        SELECT FROM documents WHERE ${sql.ref(COLUMNS[table])} = entry.id AND is_published
      ) THEN 'in use' ELSE 'unused' END AS retired
    FROM ${sql.table(table)} AS entry ORDER BY entry.position, entry.id`.execute(database.kysely)
  return rows.map(({ retired, subjects, ...row }) => ({
    ...presentNamed(row),
    ...(retired && { retired }),
    ...(subjects && { subjectIds: idsOf(subjects) }),
  }))
}
