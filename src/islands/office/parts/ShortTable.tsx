import './office-table.css'
import { TableFrame } from '../../parts/Table.tsx'
import { type Column, classOf } from './columns.ts'

interface Props<Row> {
  label: string
  /** The first column names the row, and its card on phones. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
}

/** A table that shows all its rows, without paging or sorting. */
export function ShortTable<Row>({ label, columns, rows, rowKey }: Props<Row>) {
  return (
    <div className="office-table">
      <TableFrame>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column.head} className={classOf(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <TableBody columns={columns} rows={rows} rowKey={rowKey} />
      </TableFrame>
    </div>
  )
}

/** The rows of a table; on phones they are cards. */
export function TableBody<Row>({ columns, rows, rowKey }: Omit<Props<Row>, 'label'>) {
  return (
    <tbody>
      {rows.map((row) => (
        <tr key={rowKey(row)}>
          {columns.map((column, at) => {
            const { head, cell } = column
            return at === 0 ? (
              <th scope="row" key={head}>
                {cell(row)}
              </th>
            ) : (
              <td data-label={head} className={classOf(column)} key={head}>
                {cell(row)}
              </td>
            )
          })}
        </tr>
      ))}
    </tbody>
  )
}
