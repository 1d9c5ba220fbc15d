import {
  array,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import { DOCUMENT_STATES } from '../rules/document-life.ts'
import { LEVELS } from '../rules/price-bands.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../rules/suggestions.ts'
import { defineCall } from './call.ts'
import { dinarAmount, dinarText, id, moment, pageOf, pageQuery, text } from './values.ts'

/** A document in the list of all teachers' documents. */
export const ListedDocument = type({
  id: id(),
  title: string(),
  teacher: type({ id: id(), name: string() }),
  state: enums(DOCUMENT_STATES),
  subject: string(),
  level: nullable(enums(LEVELS)),
  price: nullable(dinarAmount()),
  /** The discounted price that applies now. */
  priceDiscount: nullable(dinarAmount()),
  /** A discount with an end, current or future. */
  timed: nullable(type({ priceDiscount: dinarAmount(), from: moment(), until: moment() })),
  salesCount: number(),
  changedAt: moment(),
})
export type ListedDocument = Infer<typeof ListedDocument>

/** The filters of the list of all documents. */
export const documentFilters = {
  /** A text in the title, subject or teacher's name; folded. */
  q: optional(text(0, SEARCH_TEXT_MAX_LENGTH)),
  state: optional(enums(DOCUMENT_STATES)),
  teacher: optional(id()),
  subject: optional(id()),
  level: optional(enums(LEVELS)),
  category: optional(id()),
  /** The final price, including the lower limit and excluding the upper one. */
  minPrice: optional(dinarText()),
  maxPrice: optional(dinarText()),
  /** `timed`: with an end, current or future. */
  discount: optional(enums(['discounted', 'timed', 'none'])),
}
export const DocumentFilters = object(documentFilters)
export type DocumentFilters = Infer<typeof DocumentFilters>

export const ALL_DOCUMENT_SORTS = ['-changed', 'price', '-price', '-sales'] as const
export type AllDocumentSort = (typeof ALL_DOCUMENT_SORTS)[number]

/** The documents of all teachers, in any state. */
export const listAllDocuments = defineCall('GET /office/admin/documents', 'admin', {
  query: object({ ...pageQuery, ...documentFilters, sort: optional(enums(ALL_DOCUMENT_SORTS)) }),
  result: pageOf(ListedDocument),
})

const Choices = array(type({ id: id(), name: string() }))

/** The values by which the list can be filtered. */
export const getDocumentChoices = defineCall('GET /office/admin/documents/choices', 'admin', {
  result: type({ teachers: Choices, subjects: Choices, categories: Choices }),
})
