import './office-table.css'
import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useId } from 'react'
import { pluralText } from '../../../i18n/format.ts'
import type { Table, TablePage } from '../../../stores/office/table.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../parts/States.tsx'
import type { Column, TableFilter } from './columns.ts'
import { TablePager } from './TablePager.tsx'
import { TableTools } from './TableTools.tsx'
import { useProblemText } from './use-problem-text.ts'

export interface OfficeListProps<Row> {
  /** Made once for the page, by `createTable`. */
  table: Table<Row>
  /** `count_…`: how many there are, in the plural forms of the language. */
  counts: Readonly<Record<string, string>>
  /** What is said where the list has nothing yet. */
  empty: { title?: string; text: string; action?: ReactNode }
  /** The label of its search box; without one there is none. */
  search?: string
  filters?: readonly TableFilter[]
}

interface Props<Row> extends OfficeListProps<Row> {
  /** What it is sorted by on phones. */
  columns?: readonly Column<Row>[]
  /** What a page of it looks like. */
  children: (page: TablePage<Row>, isLoading: boolean) => ReactNode
}

const ROWS = Array<'button'>(8).fill('button')

/** A list of the office, in its states: loading, failed, empty, nothing found, full. */
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
      {page && !isEmpty && (
        <>
          <div id={id}>{children(page, isLoading)}</div>
          <TablePager table={table} page={page} top={id} />
        </>
      )}
    </div>
  )
}
