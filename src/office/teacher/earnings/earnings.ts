import type { Result } from '../../../contract/call.ts'
import * as earnings from '../../../contract/earnings.ts'
import {
  DEFAULT_EARNING_RANGE,
  DOCUMENT_EARNING_SORTS,
  EARNING_RANGES,
  type EarningRange,
  type getEarningsSeries,
  type listDocumentEarnings,
} from '../../../contract/earnings.ts'
import { resource, resourceFor } from '../../kit/loader.ts'
import { type TableView, tableOf } from '../../kit/tables/table.ts'
import { documentOf } from '../sales/sales.ts'

export const ownEarnings = resource(earnings.getEarnings)
export const ownLinks = resource(earnings.getLinkFigures)

type Page = Result<typeof listDocumentEarnings>
export type DocumentEarnings = Page['content'][number]

/** The range in a URL, or the default. */
export const rangeOf = (value: unknown): EarningRange =>
  EARNING_RANGES.find((range) => range === value) ?? DEFAULT_EARNING_RANGE

/** The earnings of each document in the URL's range; `documentId` selects the chart's document. */
export const documentEarnings = tableOf(earnings.listDocumentEarnings, {
  sorts: DOCUMENT_EARNING_SORTS,
  filters: {
    range: (value) => ({ range: rangeOf(value) }),
    // Chooses the chart's document: the list stays as it is.
    documentId: () => ({}),
  },
})

export type EarningsSeries = Result<typeof getEarningsSeries>
export const earningsSeries = resourceFor(
  earnings.getEarningsSeries,
  ({ range, documentId }: TableView['filters']) => ({
    query: { range: rangeOf(range), ...documentOf(documentId) },
  }),
)
