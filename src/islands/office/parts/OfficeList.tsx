import './office-table.css'
import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useId } from 'react'
import { pluralText } from '../../../i18n/format.ts'
import type { Table, TablePage } from '../../../stores/office/table.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { EmptyState, ErrorState, isWorthRetrying, Skeleton } from '../../parts/States.tsx'
import type { Column, TableFilter } from './columns.ts'
import { TablePager } from './TablePager.tsx'
import { TableTools } from './TableTools.tsx'
import { useProblemText } from './use-problem-text.ts'

export interface OfficeListProps<Row> {
  /** Created once per page with `createTable`. */
  table: Table<Row>
  /** The plural forms (`count_…`) for the number of entries. */
  counts: Readonly<Record<string, string>>
  /** Shown if the list has no entries at all. */
  empty: { title?: string; text: string; action?: ReactNode }
  /** The label of the search box; if it is absent, there is no search box. */
  search?: string
  filters?: readonly TableFilter[]
}

interface Props<Row> extends OfficeListProps<Row> {
  /** The columns by which the list can be sorted on phones. */
  columns?: readonly Column<Row>[]
  /** Renders a page of the list. */
  children: (page: TablePage<Row>, isLoading: boolean) => ReactNode
}

const ROWS = Array<'button'>(8).fill('button')

/** A list of the office; also shows that it is loading, has failed, is empty or has no matches. */
export function OfficeList<Row>(props: Props<Row>) {
  const { table, counts, empty, search, filters = [], columns = [], children } = props
  const locale = useLocale()
  const texts = useTexts('office:table')
  const problemText = useProblemText()
  const id = useId()
  const { page, isLoading, problem } = useStore(table.$state)
  const view = useStore(table.$view)
  useEffect(() => table.open(), [table])

  const isFiltered = view.q !== '' || Object.keys(view.filters).length > 0
  const isEmpty = page !== null && page.totalElements === 0
  if (isEmpty && !isFiltered && !problem) {
    return (
      <div className="office-table stack">
        {filters.some(({ none }) => none) && (
          <TableTools table={table} columns={columns} search={search} filters={filters} />
        )}
        <EmptyState {...(empty.title && { title: empty.title })} text={empty.text}>
          {empty.action}
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="office-table stack">
      <TableTools table={table} columns={columns} search={search} filters={filters} />
      <p className="office-table__count soft" role="status">
        {page && !isLoading && pluralText(locale, counts, 'count', page.totalElements)}
      </p>
      {problem && (
        <ErrorState text={problemText(problem)}>
          {isWorthRetrying(problem) && (
            <button type="button" className="button" onClick={table.refresh}>
              {texts.retry}
            </button>
          )}
        </ErrorState>
      )}
      {!page && isLoading && <Skeleton text={texts.loading} shapes={ROWS} />}
      {isEmpty && isFiltered && (
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
      {page && !isEmpty && (
        <>
          <div id={id}>{children(page, isLoading)}</div>
          <TablePager table={table} page={page} top={id} />
        </>
      )}
    </div>
  )
}
