import * as earnings from '../../../contract/earnings.ts'
import { SALE_SORTS } from '../../../contract/earnings.ts'
import { PAGE_SIZE_MAX } from '../../../rules/pager.ts'
import { ask } from '../../kit/backend.ts'
import { resourceBy } from '../../kit/loader.ts'
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

/** The documents that were ever sold: the first 100 by title, which are enough for a choice. */
export const soldDocuments = resourceBy('documents that sold', async () => {
  const query = { range: 'all', sort: 'title', size: PAGE_SIZE_MAX } as const
  const { content } = await ask(earnings.listDocumentEarnings, { query })
  return content.map(({ document }) => document)
})

/** The months with sales, newest first. */
export const saleMonths = resourceBy('months with sales', async () =>
  (await ask(earnings.listStatements, {})).map(({ month }) => month),
)
