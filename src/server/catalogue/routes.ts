import * as calls from '../../contract/catalogue.ts'
import * as references from '../../contract/references.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import * as documents from './documents.ts'
import * as present from './present.ts'
import { searchCatalogue } from './search.ts'
import { findTeacher, listedTeachers } from './teachers.ts'

/** The catalogue: open to everybody, published documents only. */
export const catalogueRoutes: Route[] = [
  route(calls.listDocuments, async ({ deps }) =>
    (await documents.newestDocuments(deps.database.kysely)).map(present.presentDocument),
  ),
  route(calls.listFeatured, async ({ deps }) =>
    (await documents.featuredDocuments(deps.database.kysely)).map(present.presentDocument),
  ),
  route(calls.listTopSelling, async ({ deps }) =>
    (await documents.topSellingDocuments(deps.database.kysely)).map(present.presentDocument),
  ),
  route(calls.listByFeaturedAuthors, async ({ deps }) =>
    (await documents.documentsByFeaturedAuthors(deps.database.kysely)).map(present.presentDocument),
  ),
  route(calls.searchDocuments, async ({ input, deps }) => {
    const { rows, ...position } = await searchCatalogue(deps.database.kysely, input.query)
    return present.presentPage(rows, position)
  }),
  route(calls.getDocument, async ({ input, deps }) => {
    const row = await documents.findDocument(deps.database.kysely, input.params.id)
    if (!row) throw fault('document_not_found')
    return present.presentDocument(row)
  }),
  route(calls.listTeacherDocuments, async ({ input, deps }) => {
    const rows = await documents.documentsOfTeacher(deps.database.kysely, input.params.teacherId)
    if (!rows) throw fault('teacher_not_found')
    return rows.map(present.presentDocument)
  }),
  route(calls.listTeachers, async ({ deps }) =>
    (await listedTeachers(deps.database.kysely)).map(present.presentTeacher),
  ),
  route(calls.getTeacher, async ({ input, deps }) => {
    const row = await findTeacher(deps.database.kysely, input.params.id)
    if (!row) throw fault('teacher_not_found')
    return present.presentTeacher(row)
  }),
  route(calls.getCoverMapping, async ({ input, deps }) => {
    const row = await deps.database.kysely
      .selectFrom('coverMappings')
      .selectAll()
      .where('id', '=', input.params.id)
      .executeTakeFirst()
    if (!row) throw fault('not_found')
    return present.presentCoverMapping(row)
  }),
  route(references.listCategories, async ({ deps }) =>
    (await deps.database.kysely.selectFrom('categories').selectAll().orderBy('id').execute()).map(
      present.presentNamed,
    ),
  ),
  route(references.listMatieres, async ({ deps }) =>
    (await deps.database.kysely.selectFrom('matieres').selectAll().orderBy('id').execute()).map(
      present.presentNamed,
    ),
  ),
  route(references.listSchoolYears, async ({ deps }) =>
    (
      await deps.database.kysely.selectFrom('niveaux').selectAll().orderBy('position').execute()
    ).map(present.presentNiveau),
  ),
]
