import * as list from '../../../contract/office-all-documents.ts'
import * as bulk from '../../../contract/office-bulk-changes.ts'
import { pageOf } from '../../http/page-of.ts'
import { type Route, route } from '../../http/route.ts'
import { applyChange, previewChange } from './bulk-changes.ts'
import { findDocuments, readChoices } from './choose.ts'
import { readForm } from './read-form.ts'
import { undoChange } from './undo.ts'
import { listChanges, viewChange } from './view.ts'

/** How many rows a page of the list shows. */
const PAGE_SIZE = 20

/** The calls by which administrators list the documents of all teachers and change many at once. */
export const bulkChangeRoutes: Route[] = [
  route(list.listAllDocuments, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, sort = '-changed', ...filters } = query
    const filter = { ...filters, sort, page, size }
    const { documents, total } = await findDocuments(deps.database.kysely, filter)
    return pageOf(documents, { total, page, size })
  }),
  route(list.getDocumentChoices, ({ deps }) => readChoices(deps.database.kysely)),

  route(bulk.previewBulkChange, async ({ input: { body }, user, deps }) => {
    const actor = user.actor
    const change = readForm(body.change, deps.now())
    const id = await previewChange(deps, { actor, change, chosen: body.chosen })
    return viewChange(deps.database.kysely, id, actor)
  }),
  route(bulk.listBulkChanges, ({ deps }) => listChanges(deps.database.kysely)),
  route(bulk.getBulkChange, ({ input: { params }, user, deps }) =>
    viewChange(deps.database.kysely, params.id, user.actor),
  ),
  route(bulk.applyBulkChange, async ({ input: { params, body }, user, deps }) => {
    const actor = user.actor
    await applyChange(deps, params.id, { actor, reason: body.reason })
    return viewChange(deps.database.kysely, params.id, actor)
  }),
  route(bulk.undoBulkChange, async ({ input: { params, body }, user, deps }) => {
    const actor = user.actor
    const id = await undoChange(deps, params.id, { actor, reason: body.reason })
    return viewChange(deps.database.kysely, id, actor)
  }),
]
