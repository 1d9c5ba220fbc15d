import { useStore } from '@nanostores/react'
import type { Table } from '../../../stores/office/table.ts'
import { useTexts } from '../../parts/island.tsx'
import { type Column, sortsOf } from './columns.ts'

interface Props<Row> {
  table: Table<Row>
  columns: readonly Column<Row>[]
}

/** The column headings. Sortable columns have a button; a second press reverses the order. */
export function TableHead<Row>({ table, columns }: Props<Row>) {
  const texts = useTexts('office:table')
  const { sort } = useStore(table.$view)
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [first, other = first] = sortsOf(table.sorts, column.sort)
          const isSorted = sort === first || sort === other
          const order = sort.startsWith('-') ? 'descending' : 'ascending'
          return (
            <th
              scope="col"
              key={column.head}
              className={column.isNumber ? 'office-table__number' : undefined}
              aria-sort={first && isSorted ? order : undefined}
            >
              {first && other ? (
                <button
                  type="button"
                  className="office-table__sort"
                  title={texts.sort}
                  onClick={() => table.show({ sort: sort === first ? other : first })}
                >
                  {column.head}
                </button>
              ) : (
                column.head
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}
