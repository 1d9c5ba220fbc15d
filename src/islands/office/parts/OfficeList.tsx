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
  /** Created once for the page, by `createTable`. */
  table: Table<Row>
  /** `count_…`: how many there are, in the plural forms of the language. */
  counts: Readonly<Record<string, string>>
  /** Shown while the list has no entries at all. */
  empty: { title?: string; text: string; action?: ReactNode }
  /** The label of the search box; without it there is no box. */
  search?: string
  filters?: readonly TableFilter[]
}

interface Props<Row> extends OfficeListProps<Row> {
  /** The columns by which it can be sorted on phones. */
  columns?: readonly Column<Row>[]
  /** Renders a page of the list. */
  children: (page: TablePage<Row>, isLoading: boolean) => ReactNode
}

const ROWS = Array<'button'>(8).fill('button')

/** A list of the office, or that it is loading, failed to load, is empty or that nothing was found. */
export function OfficeList<Row>(props: Props<Row>) {
  const { table, counts, empty, search, filters = [], columns = [], children } = props
  const locale = useLocale()
  const texts = useTexts('office:table')
  const problemText = useProblemText()
  const id = useId()
  const { page, isLoading, problem } = useStore(table.$state)
  const view = useStore(table.$view)
  useEffect(() => table.open(), [table])

  const isNarrowed = view.q !== '' || Object.keys(view.filters).length > 0
  const isEmpty = page !== null && page.totalElements === 0
  if (isEmpty && !isNarrowed && !problem) {
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
      {page && !isEmpty && (
        <>
          <div id={id}>{children(page, isLoading)}</div>
          <TablePager table={table} page={page} top={id} />
        </>
      )}
    </div>
  )
}
