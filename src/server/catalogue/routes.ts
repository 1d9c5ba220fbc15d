import { sql } from 'kysely'
import * as calls from '../../contract/catalogue.ts'
import type { Listed, ListedClass } from '../../contract/references.ts'
import * as references from '../../contract/references.ts'
import type { InEachLanguage } from '../../rules/languages.ts'
import type { Database } from '../database/pool.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { idsOf, presentNamed, SUBJECTS_OF_CLASS, type SubjectsOfClass } from './names.ts'
import { presentTeacher } from './present.ts'
import { findTeacher } from './teachers.ts'

export const catalogueRoutes: Route[] = [
  route(calls.listDocuments, ({ deps }) => deps.catalogue.newest()),
  route(calls.listFeatured, ({ deps }) => deps.catalogue.featured()),
  route(calls.listTopSelling, ({ deps }) => deps.catalogue.topSelling()),
  route(calls.listByFeaturedAuthors, ({ deps }) => deps.catalogue.byFeaturedAuthors()),
  route(calls.searchDocuments, ({ input, deps }) => deps.catalogue.search(input.query)),
  route(calls.getDocument, async ({ input, deps }) => {
    const document = await deps.catalogue.find(input.params.id)
    if (!document) throw fault('document_not_found')
    return document
  }),
  route(calls.listTeacherDocuments, async ({ input, deps }) => {
    const documents = await deps.catalogue.ofTeacher(input.params.teacherId)
    if (!documents) throw fault('teacher_not_found')
    return documents
  }),
  route(calls.listTeachers, ({ deps }) => deps.catalogue.teachers()),
  route(calls.getTeacher, async ({ input, deps }) => {
    const row = await findTeacher(deps.database.kysely, input.params.id)
    if (!row) throw fault('teacher_not_found')
    return presentTeacher(row)
  }),
  route(calls.getCoverMapping, async ({ input, deps }) => {
    const row = await deps.database.kysely
      .selectFrom('coverMappings')
      .select(['coverPath', 'livrePath', 'color'])
      .where('id', '=', input.params.id)
      .executeTakeFirst()
    if (!row) throw fault('not_found')
    return row
  }),
  route(references.listCategories, ({ deps }) => readListed(deps, 'categories')),
  route(references.listMatieres, ({ deps }) => readListed(deps, 'matieres')),
  route(references.listClasses, ({ deps }) => readListed(deps, 'niveaux')),
]

const COLUMNS = { categories: 'category_id', matieres: 'matiere_id', niveaux: 'niveau_id' } as const

/**
 * A list in its order, including retired entries, so that a choice made before the retirement still
 * shows the entry's name.
 */
async function readListed<Table extends keyof typeof COLUMNS>(
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
