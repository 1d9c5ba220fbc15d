import { sql } from 'kysely'
import * as calls from '../../contract/catalogue.ts'
import * as references from '../../contract/references.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { readListed } from './listed.ts'
import { presentChapter, readChapters } from './names.ts'
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
    const row = await findTeacher(deps.database.kysely, input.params.id, { isPublic: true })
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
  route(references.listKinds, ({ deps }) => readListed(deps, 'paper_kinds')),
  route(references.listMatieres, ({ deps }) => readListed(deps, 'matieres')),
  route(references.listChapters, async ({ input, deps }) => {
    const { niveauId, matiereId } = input.query
    const isOfIt = sql`niveau_id = ${niveauId} AND matiere_id = ${matiereId} AND NOT is_hidden`
    return (await readChapters(deps.database.kysely, isOfIt)).map(presentChapter)
  }),
  route(references.listClasses, ({ deps }) => readListed(deps, 'niveaux')),
]
