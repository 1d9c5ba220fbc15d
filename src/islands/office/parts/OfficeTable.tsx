import type { TablePage } from '../../../stores/office/table.ts'
import { TableFrame } from '../../parts/Table.tsx'
import type { Column } from './columns.ts'
import { OfficeList, type OfficeListProps } from './OfficeList.tsx'
import { TableBody } from './ShortTable.tsx'
import { TableHead } from './TableHead.tsx'

export interface OfficeTableProps<Row> extends OfficeListProps<Row> {
  /** The caption of the table, for screen readers. */
  label: string
  /** The first column names the row, and its card on phones. */
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
}

/** A list of the office as a table; on phones the rows are cards. */
export function OfficeTable<Row>(props: OfficeTableProps<Row>) {
  return (
    <OfficeList {...props}>
      {(page, isLoading) => <Rows {...props} page={page} isLoading={isLoading} />}
    </OfficeList>
  )
}

interface RowsProps<Row> extends OfficeTableProps<Row> {
  page: TablePage<Row>
  isLoading: boolean
}

function Rows<Row>({ table, label, columns, rowKey, page, isLoading }: RowsProps<Row>) {
  return (
    <TableFrame aria-busy={isLoading}>
      <caption className="visually-hidden">{label}</caption>
      <TableHead table={table} columns={columns} />
      <TableBody columns={columns} rows={page.content} rowKey={rowKey} />
    </TableFrame>
  )
}
