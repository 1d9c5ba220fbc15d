import type { Result } from '../../contract/call.ts'
import * as earnings from '../../contract/earnings.ts'
import {
  DEFAULT_EARNING_RANGE,
  DOCUMENT_EARNING_SORTS,
  EARNING_RANGES,
  type EarningRange,
  type EarningsSummary,
  type getEarningsSeries,
  type listDocumentEarnings,
} from '../../contract/earnings.ts'
import { ask } from './backend.ts'
import { createChoiceLoader, createLoader } from './loader.ts'
import { documentOf, loadSoldDocuments } from './sales.ts'
import { createTable, type TableView } from './table.ts'

const summary = createLoader<EarningsSummary>('earnings')
export const $earnings = summary.$state

const readSummary = () => ask(earnings.getEarnings, {})
export const loadEarnings = (): Promise<void> => summary.load(readSummary)
export const refreshEarnings = (): Promise<void> => summary.refresh(readSummary)

type Page = Result<typeof listDocumentEarnings>
export type DocumentEarnings = Page['content'][number]

/** The range in a URL, or the default. */
export const rangeOf = (value: unknown): EarningRange =>
  EARNING_RANGES.find((range) => range === value) ?? DEFAULT_EARNING_RANGE

/** The earnings of each document in the URL's range; `documentId` selects the chart's document. */
export const documentEarnings = createTable({
  what: 'earnings by document',
  sorts: DOCUMENT_EARNING_SORTS,
  filters: ['range', 'documentId'],
  load: ({ page, sort, range }, signal) => {
    const query = { page, sort, range: rangeOf(range) }
    return ask(earnings.listDocumentEarnings, { query }, { signal })
  },
})

export type EarningsSeries = Result<typeof getEarningsSeries>
const series = createChoiceLoader<EarningsSeries>('earnings over time')
export const $series = series.$state

export function loadSeries({ range, documentId }: TableView['filters']): Promise<void> {
  const query = { range: rangeOf(range), ...documentOf(documentId) }
  return series.load(() => ask(earnings.getEarningsSeries, { query }))
}

const sold = createLoader<readonly { id: number; title: string }[]>('documents that sold')
export const $soldDocuments = sold.$state
export const loadSold = (): Promise<void> => sold.load(loadSoldDocuments)
