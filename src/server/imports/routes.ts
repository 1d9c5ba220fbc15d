import * as contract from '../../contract/office-imports.ts'
import { ownTemplateOf } from '../documents/documents.ts'
import { type Route, route } from '../http/route.ts'
import { beginImport, cancelImport, type Importer, startImport } from './begin.ts'
import { lastImport, presentImport } from './rows.ts'

/** A teacher's own imports of lists; the teacher comes from the token alone. */
export const importRoutes: Route[] = [
  route(contract.getImport, async ({ user, deps }) => {
    const last = await lastImport(deps.database.kysely, user.id)
    return { last: last ? presentImport(last) : null }
  }),
  route(contract.beginImport, async ({ input, user, deps }) =>
    presentImport(await beginImport(deps, importerOf(user), input.body)),
  ),
  route(contract.startImport, async ({ input, user, deps }) =>
    presentImport(await startImport(deps, importerOf(user), input.params.id)),
  ),
  route(contract.cancelImport, async ({ input, user, deps }) =>
    cancelImport(deps, importerOf(user), input.params.id),
  ),
  route(contract.getImportTemplate, async ({ input, deps, reply }) =>
    reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="catalogue.csv"')
      .send(await ownTemplateOf(deps.database, input.query.locale)),
  ),
]

const importerOf = ({ id, teacherId }: { id: number; teacherId: number }): Importer => ({
  userId: id,
  teacherId,
})
