import { array, type Infer, object, size, string, type } from 'superstruct'
import {
  SHELF_NAME_MAX_CODE_POINTS,
  SHELVED_AT_ONCE_MAX,
  shelfNameProblem,
} from '../rules/library-list.ts'
import { defineCall } from './call.ts'
import { byId, checked, id, nameText, nothing } from './values.ts'

/** A family's shelf: a label, mostly a child's name, and the bought documents on it. */
export const Shelf = type({ id: id(), name: string(), documentIds: array(id()) })
export type Shelf = Infer<typeof Shelf>

const named = object({ name: checked(nameText(1, SHELF_NAME_MAX_CODE_POINTS), shelfNameProblem) })
const documents = () => size(array(id()), 0, SHELVED_AT_ONCE_MAX)

/** The shelves of the caller's account, in the order in which they were added. */
export const listShelves = defineCall('GET /library/shelves', 'user', { result: array(Shelf) })

export const addShelf = defineCall('POST /library/shelves', 'user', {
  body: named,
  result: Shelf,
  errors: ['shelf_name_taken', 'shelves_full'],
})

export const renameShelf = defineCall('PUT /library/shelves/:id', 'user', {
  params: byId,
  body: named,
  result: Shelf,
  errors: ['shelf_not_found', 'shelf_name_taken'],
})

/** Removes a shelf; its documents stay on their other shelves. */
export const removeShelf = defineCall('DELETE /library/shelves/:id', 'user', {
  params: byId,
  result: nothing(),
  errors: ['shelf_not_found'],
})

/**
 * Puts bought documents on a shelf and takes others off, so that two devices do not undo each
 * other's changes. A document may be on several shelves; one that is already there, or no longer
 * there, is not an error.
 */
export const arrangeShelf = defineCall('PUT /library/shelves/:id/documents', 'user', {
  params: byId,
  body: object({ put: documents(), take: documents() }),
  result: Shelf,
  errors: ['shelf_not_found', 'document_not_found'],
})
