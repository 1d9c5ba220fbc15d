import * as s from 'superstruct'
import {
  SHELF_NAME_MAX_CODE_POINTS,
  SHELVED_AT_ONCE_MAX,
  shelfNameProblem,
} from '../rules/library-list.ts'
import { defineCall } from './call.ts'
import { Place } from './reading.ts'
import { CoverMapping, InEachLanguage } from './references.ts'
import {
  byId,
  checked,
  dinarAmount,
  extra,
  id,
  idOrNone,
  moment,
  nameText,
  nothing,
  numberOrNone,
  ours,
  saidMoment,
  textOrNone,
  whole,
} from './values.ts'

/** A document that the customer bought; `amount` is what was paid, in dinars. */
export const PurchasedDocument = s.type({
  documentId: id(),
  documentTitle: textOrNone(),
  amount: ours(dinarAmount(), 0),
  matiereName: textOrNone(),
  niveauName: textOrNone(),
  categoryName: textOrNone(),
  categoryId: idOrNone(),
  matiereId: idOrNone(),
  niveauId: idOrNone(),
  teacherId: idOrNone(),
  teacherName: textOrNone(),
  teacherLatinName: extra(s.string()),
  averageRating: numberOrNone(),
  salesCount: numberOrNone(),
  purchaseDate: saidMoment(),
  fileType: textOrNone(),
  /** Codes by which the interface translates the names. */
  matiereCode: extra(s.nullable(s.string())),
  niveauCode: extra(s.nullable(s.string())),
  categoryCode: extra(s.nullable(s.string())),
  /** If administrators have written them. */
  matiereNames: extra(InEachLanguage),
  niveauNames: extra(InEachLanguage),
  categoryNames: extra(InEachLanguage),
  /** Its subject, kind and class in every language and by other words, for a search. */
  searchedNames: extra(s.string()),
  pageCount: extra(s.nullable(s.number())),
  /** The size of the file in bytes. */
  fileSize: extra(s.number()),
  /** The fields that the cover is drawn from, as in the catalogue. */
  coverPath: extra(s.nullable(s.string())),
  coverMapping: extra(s.nullable(CoverMapping)),
  /** The stars that this customer gave it; null without a rating. */
  ownRating: extra(s.nullable(s.number())),
  /** Where the customer stopped reading. */
  place: extra(Place),
  /** The version of the file that the customer gets. */
  version: extra(s.number()),
  /**
   * A version that the customer has not opened or downloaded yet; `changes` are the teacher's
   * words.
   */
  newVersion: extra(s.type({ number: s.number(), at: moment(), changes: s.string() })),
  /** The version that the customer had before, and until when they may still download it. */
  earlierVersion: extra(s.type({ number: s.number(), until: moment() })),
})
export type PurchasedDocument = s.Infer<typeof PurchasedDocument>

export const listPurchased = defineCall('GET /purchaseddocuments/user/purchased', 'user', {
  result: s.array(PurchasedDocument),
})

export const getPurchased = defineCall(
  'GET /purchaseddocuments/user/:userId/document/:documentId',
  'user',
  {
    params: s.object({ userId: id(), documentId: id() }),
    result: PurchasedDocument,
    errors: ['forbidden', 'document_not_found'],
  },
)

/**
 * The file, for its buyer; with `preview=true` the text of a relative path for the preview frame,
 * signed and valid for some minutes. `version`: an earlier version, while it is offered; `t` is a
 * cache-buster.
 */
export const downloadDocument = defineCall('GET /documents/download/:id/:userId', 'user', {
  params: s.object({ id: id(), userId: id() }),
  query: s.object({
    preview: s.optional(s.enums(['true', 'false'])),
    version: s.optional(whole(1, 100_000)),
    t: s.optional(s.string()),
  }),
  answers: 'file',
  result: nothing(),
  errors: ['not_permitted', 'document_not_found', 'file_missing', 'version_not_offered'],
})

/** A family's shelf: a label, mostly a child's name, and the bought documents on it. */
export const Shelf = s.type({ id: id(), name: s.string(), documentIds: s.array(id()) })
export type Shelf = s.Infer<typeof Shelf>

const named = s.object({ name: checked(nameText(1, SHELF_NAME_MAX_CODE_POINTS), shelfNameProblem) })
const documents = () => s.size(s.array(id()), 0, SHELVED_AT_ONCE_MAX)

/** The shelves of the caller's account, in the order in which they were added. */
export const listShelves = defineCall('GET /library/shelves', 'user', {
  feature: 'shelves',
  result: s.array(Shelf),
})

export const addShelf = defineCall('POST /library/shelves', 'user', {
  feature: 'shelves',
  body: named,
  result: Shelf,
  errors: ['shelf_name_taken', 'shelves_full'],
})

export const renameShelf = defineCall('PUT /library/shelves/:id', 'user', {
  feature: 'shelves',
  params: byId,
  body: named,
  result: Shelf,
  errors: ['shelf_not_found', 'shelf_name_taken'],
})

/** Removes a shelf; its documents stay on their other shelves. */
export const removeShelf = defineCall('DELETE /library/shelves/:id', 'user', {
  feature: 'shelves',
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
  feature: 'shelves',
  params: byId,
  body: s.object({ put: documents(), take: documents() }),
  result: Shelf,
  errors: ['shelf_not_found', 'document_not_found'],
})
