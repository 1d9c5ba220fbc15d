import * as calls from '../../../contract/library.ts'
import { type Route, route } from '../../http/route.ts'
import { arrangeDocuments, createShelf, nameShelf, removeShelf, shelvesOf } from './shelves.ts'

/** The calls for the shelves of an account. */
export const shelfRoutes: Route[] = [
  route(calls.listShelves, ({ user, deps }) => shelvesOf(deps.database.kysely, user.id)),
  route(calls.addShelf, ({ input, user, deps }) =>
    createShelf(deps.database, { userId: user.id, name: input.body.name }),
  ),
  route(calls.renameShelf, ({ input, user, deps }) =>
    nameShelf(deps.database, { userId: user.id, id: input.params.id }, input.body.name),
  ),
  route(calls.removeShelf, ({ input, user, deps }) =>
    removeShelf(deps.database.kysely, { userId: user.id, id: input.params.id }),
  ),
  route(calls.arrangeShelf, ({ input, user, deps }) =>
    arrangeDocuments(deps.database, { userId: user.id, id: input.params.id }, input.body),
  ),
]
