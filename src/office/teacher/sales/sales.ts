import * as earnings from '../../../contract/earnings.ts'
import { SALE_SORTS } from '../../../contract/earnings.ts'
import { PAGE_SIZE_MAX } from '../../../rules/pager.ts'
import { ask } from '../../kit/backend.ts'
import { createLoader } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'

export const salesTable = tableOf(earnings.listSales, {
  sorts: SALE_SORTS,
  filters: { documentId: documentOf, month: monthOf },
})

/** A filter for a document's id; any other value in the URL is ignored. */
export function documentOf(value: unknown) {
  return /^[1-9]\d{0,8}$/.test(String(value)) ? { documentId: Number(value) } : {}
}

function monthOf(value: string) {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(value) ? { month: value } : {}
}

export interface SaleFilters {
  documents: readonly { id: number; title: string }[]
  /** Newest first. */
  months: readonly string[]
}

const loader = createLoader<SaleFilters>('filters of sales')
export const $saleFilters = loader.$state

export function loadSaleFilters(): Promise<void> {
  return loader.load(async () => {
    const [documents, statements] = await Promise.all([
      loadSoldDocuments(),
      ask(earnings.listStatements, {}),
    ])
    return { documents, months: statements.map(({ month }) => month) }
  })
}

/**
 * Loads the documents that were ever sold: the first 100 by title, which are enough for a choice.
 */
export async function loadSoldDocuments() {
  const query = { range: 'all', sort: 'title', size: PAGE_SIZE_MAX } as const
  const { content } = await ask(earnings.listDocumentEarnings, { query })
  return content.map(({ document }) => document)
}
