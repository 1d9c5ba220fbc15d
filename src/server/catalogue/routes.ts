import * as calls from '../../contract/catalogue.ts'
import * as references from '../../contract/references.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import * as documents from './documents.ts'
import { readListed } from './listed.ts'
import * as present from './present.ts'
import { searchCatalogue, topSellingDocuments } from './search/search.ts'
import { findTeacher, listedTeachers } from './teachers.ts'

/** The catalogue: open to everyone, published documents only. */
export const catalogueRoutes: Route[] = [
  route(calls.listDocuments, shelf(documents.newestDocuments)),
  route(calls.listFeatured, shelf(documents.featuredDocuments)),
  route(calls.listTopSelling, shelf(topSellingDocuments)),
  route(calls.listByFeaturedAuthors, shelf(documents.documentsByFeaturedAuthors)),
  route(calls.searchDocuments, async ({ input, deps }) => {
    const { rows, facets, spelling, ...position } = await searchCatalogue(
      deps.database.kysely,
      input.query,
    )
    return {
      ...present.presentPage(rows, position),
      ...(facets && { facets }),
      ...(spelling && { spelling }),
    }
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

function shelf(read: typeof documents.newestDocuments) {
  return async ({ deps }: { deps: Deps }) =>
    (await read(deps.database.kysely)).map(present.presentDocument)
}
