import '../../parts/table.css'
import './office-table.css'
import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useId } from 'react'
import { pluralText } from '../../../i18n/format.ts'
import type { Table, TablePage } from '../../../stores/office/table.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../parts/States.tsx'
import type { Column, TableFilter } from './columns.ts'
import { TableHead } from './TableHead.tsx'
import { TablePager } from './TablePager.tsx'
import { TableTools } from './TableTools.tsx'
import { useProblemText } from './use-problem-text.ts'

export interface OfficeTableProps<Row> {
  /** Made once for the page, by `createTable`. */
  table: Table<Row>
  /** Names the table for who does not see it. */
  label: string
  /** The first one names the row, and its card on phones. */
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  /** `count_…`: how many there are, in the plural forms of the language. */
  counts: Readonly<Record<string, string>>
  /** The sentence for a list that is still empty. */
  empty: { title?: string; text: string; action?: ReactNode }
  /** The label of its search box; without one there is none. */
  search?: string
  filters?: readonly TableFilter[]
}

const ROWS = Array<'button'>(8).fill('button')

/** A list of the office, in its states: loading, failed, empty, nothing found, full. */
export function OfficeTable<Row>(props: OfficeTableProps<Row>) {
  const { table, counts, empty, search, filters = [] } = props
  const locale = useLocale()
  const texts = useTexts('office:table')
  const problemText = useProblemText()
  const { page, isLoading, problem } = useStore(table.$state)
  const view = useStore(table.$view)
  useEffect(() => table.open(), [table])

  const isNarrowed = view.q !== '' || Object.keys(view.filters).length > 0
  const isEmpty = page !== null && page.totalElements === 0
  if (isEmpty && !isNarrowed && !problem) {
    return (
      <EmptyState {...(empty.title && { title: empty.title })} text={empty.text}>
        {empty.action}
      </EmptyState>
    )
  }
  return (
    <div className="office-table stack">
      <TableTools table={table} columns={props.columns} search={search} filters={filters} />
      <p className="office-table__count soft" role="status">
        {page && !isLoading && pluralText(locale, counts, 'count', page.totalElements)}
      </p>
      {problem && (
        <ErrorState text={problemText(problem)}>
          <button type="button" className="button" onClick={table.refresh}>
            {texts.retry}
          </button>
        </ErrorState>
      )}
      {!page && isLoading && <Skeleton text={texts.loading} shapes={ROWS} />}
      {isEmpty && isNarrowed && (
        <EmptyState text={texts.nothingFound}>
          <button
            type="button"
            className="button"
            onClick={() => table.show({ q: '', filters: {} })}
          >
            {texts.clear}
          </button>
        </EmptyState>
      )}
      {page && !isEmpty && <Rows {...props} page={page} isLoading={isLoading} />}
    </div>
  )
}

function classOf<Row>({ isNumber, isActions }: Column<Row>): string | undefined {
  if (isActions) return 'office-table__actions'
  return isNumber ? 'office-table__number' : undefined
}

interface RowsProps<Row> extends OfficeTableProps<Row> {
  page: TablePage<Row>
  isLoading: boolean
}

function Rows<Row>({ table, label, columns, rowKey, page, isLoading }: RowsProps<Row>) {
  const id = useId()
  return (
    <>
      <div className="table-wrap" id={id}>
        <table className="table" aria-busy={isLoading}>
          <caption className="visually-hidden">{label}</caption>
          <TableHead table={table} columns={columns} />
          <tbody>
            {page.content.map((row) => (
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
        </table>
      </div>
      <TablePager table={table} page={page} top={id} />
    </>
  )
}
