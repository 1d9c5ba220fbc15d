import * as s from 'superstruct'
import { DOCUMENT_STATES } from '../rules/document-life.ts'
import { LEVELS } from '../rules/price-bands.ts'
import { defineCall } from './call.ts'
import { InEachLanguage } from './references.ts'
import { dinarAmount, dinarText, id, moment, pageOf, pageQuery, searchedText } from './values.ts'

/** A document in the list of all teachers' documents. */
export const ListedDocument = s.type({
  id: id(),
  title: s.string(),
  teacher: s.type({ id: id(), name: s.string(), names: InEachLanguage }),
  state: s.enums(DOCUMENT_STATES),
  subject: s.string(),
  /** Null for a draft without a subject. */
  subjectNames: s.nullable(InEachLanguage),
  level: s.nullable(s.enums(LEVELS)),
  price: s.nullable(dinarAmount()),
  /** The discounted price that applies now. */
  priceDiscount: s.nullable(dinarAmount()),
  /** A discount with an end, current or future. */
  timed: s.nullable(s.type({ priceDiscount: dinarAmount(), from: moment(), until: moment() })),
  salesCount: s.number(),
  changedAt: moment(),
})
export type ListedDocument = s.Infer<typeof ListedDocument>

/** The filters of the list of all documents. */
export const documentFilters = {
  /** A text in the title, subject or teacher's name; folded. */
  q: s.optional(searchedText()),
  state: s.optional(s.enums(DOCUMENT_STATES)),
  teacher: s.optional(id()),
  subject: s.optional(id()),
  level: s.optional(s.enums(LEVELS)),
  category: s.optional(id()),
  /** The final price, including the lower limit and excluding the upper one. */
  minPrice: s.optional(dinarText()),
  maxPrice: s.optional(dinarText()),
  /** `timed`: with an end, current or future. */
  discount: s.optional(s.enums(['discounted', 'timed', 'none'])),
  /** `missing`: papers without their kind. */
  facts: s.optional(s.enums(['missing'])),
}
export const OfficeDocumentFilters = s.object(documentFilters)
export type OfficeDocumentFilters = s.Infer<typeof OfficeDocumentFilters>

export const ALL_DOCUMENT_SORTS = ['-changed', 'price', '-price', '-sales'] as const
export type AllDocumentSort = (typeof ALL_DOCUMENT_SORTS)[number]

/** The documents of all teachers, in any state. */
export const listAllDocuments = defineCall('GET /office/admin/documents', 'admin', {
  query: s.object({
    ...pageQuery,
    ...documentFilters,
    sort: s.optional(s.enums(ALL_DOCUMENT_SORTS)),
  }),
  result: pageOf(ListedDocument),
})

const Choices = s.array(s.type({ id: id(), name: s.string(), names: InEachLanguage }))

/** The values by which the list can be filtered. */
export const getDocumentChoices = defineCall('GET /office/admin/documents/choices', 'admin', {
  result: s.type({ teachers: Choices, subjects: Choices, categories: Choices }),
})
