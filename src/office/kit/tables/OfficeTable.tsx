import './office-table.css'
import '../../../parts/field.css'
import '../../../parts/select.css'
import { useStore } from '@nanostores/react'
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import {
  EmptyState,
  ErrorState,
  isWorthRetrying,
  Skeleton,
} from '../../../islands/parts/States.tsx'
import { TableFrame } from '../../../islands/parts/Table.tsx'
import { useProblemText } from '../use-action.tsx'
import { type Column, TableBody } from './ShortTable.tsx'
import type { Table, TablePage } from './table.ts'

interface OfficeTableProps<Row> extends OfficeListProps<Row> {
  texts: ListTexts & {
    /** The caption of the table, for screen readers. */
    label: string
  }
  /** The first column names the row, and its card on phones. */
  columns: readonly Column<Row>[]
  /** What tells a row from the others; its id by default. */
  rowKey?: ((row: Row) => string | number) | undefined
}

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

function Rows<Row>({ table, texts, columns, rowKey, page, isLoading }: RowsProps<Row>) {
  return (
    <TableFrame aria-busy={isLoading}>
      <caption className="visually-hidden">{texts.label}</caption>
      <TableHead table={table} columns={columns} />
      <TableBody columns={columns} rows={page.content} rowKey={rowKey} />
    </TableFrame>
  )
}

interface HeadProps<Row> {
  table: Table<Row>
  columns: readonly Column<Row>[]
}

/** The column headings. Sortable columns have a button; a second press reverses the order. */
function TableHead<Row>({ table, columns }: HeadProps<Row>) {
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
                  className="office-table__sort row inline gap-1 strong touch"
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

interface ListTexts {
  /** The plural forms (`count_…`) for the number of entries. */
  counts: Readonly<Record<string, string>>
  /** Shown if the list has no entries at all. */
  empty: string | { title?: string; text: string; action?: ReactNode }
  /** The label of the search box; if it is absent, there is no search box. */
  search?: string
}

interface OfficeListProps<Row> {
  /** Created once per page with `tableOf`. */
  table: Table<Row>
  texts: ListTexts
  filters?: readonly TableFilter[]
}

interface ListProps<Row> extends OfficeListProps<Row> {
  /** The columns by which the list can be sorted on phones. */
  columns?: readonly Column<Row>[]
  /** Renders a page of the list. */
  children: (page: TablePage<Row>, isLoading: boolean) => ReactNode
}

const ROWS = Array<'button'>(8).fill('button')

/** A list of the office; also shows that it is loading, has failed, is empty or has no matches. */
export function OfficeList<Row>(props: ListProps<Row>) {
  const { table, filters = [], columns = [], children } = props
  const { counts, search } = props.texts
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
    const { empty: given } = props.texts
    const empty: Exclude<typeof given, string> = typeof given === 'string' ? { text: given } : given
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
          {isWorthRetrying(problem) && <Button onClick={table.refresh}>{texts.retry}</Button>}
        </ErrorState>
      )}
      {!page && isLoading && <Skeleton text={texts.loading} shapes={ROWS} />}
      {isEmpty && isFiltered && (
        <EmptyState text={texts.nothingFound}>
          <Button onClick={() => table.show({ q: '', filters: {} })}>{texts.clear}</Button>
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

interface ToolsProps<Row> {
  table: Table<Row>
  columns: readonly Column<Row>[]
  search: string | undefined
  filters: readonly TableFilter[]
}

/**
 * The search box and the filters of a table; on phones, which hide the headings, also a sort menu.
 */
function TableTools<Row>({ table, columns, search, filters }: ToolsProps<Row>) {
  const texts = useTexts('office:table')
  const view = useStore(table.$view)
  const sortable = columns.flatMap(({ head, sort }) =>
    sortsOf(table.sorts, sort).map((value) => ({
      value,
      text: fillText(value.startsWith('-') ? texts.descending : texts.ascending, { column: head }),
    })),
  )
  return (
    <div className="office-table__tools cluster items-end gap-3">
      {search && <Search table={table} label={search} />}
      {filters.map(({ name, label, options, none = texts.all }) => (
        <Choice
          key={name}
          label={label}
          value={view.filters[name] ?? ''}
          options={[{ value: '', text: none }, ...options]}
          onChoose={(value) => table.filter(name, value)}
        />
      ))}
      {sortable.length > 1 && (
        <div className="only-narrow">
          <Choice
            label={texts.sort}
            value={view.sort}
            options={sortable}
            onChoose={(sort) => table.show({ sort })}
          />
        </div>
      )}
    </div>
  )
}

function Search<Row>({ table, label }: { table: Table<Row>; label: string }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { q } = useStore(table.$view)
  // History navigation changes the query, which must not replace text that the user is typing.
  useEffect(() => {
    const box = input.current
    if (box && box !== document.activeElement) box.value = q
  }, [q])
  return (
    <search className="field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="search"
        dir="auto"
        defaultValue={q}
        onChange={({ target }) => table.search(target.value)}
      />
    </search>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly { value: string; text: string }[]
  onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  )
}

interface PagerProps<Row> {
  table: Table<Row>
  page: TablePage<Row>
  /** The id of the element that is scrolled into view when the page changes. */
  top: string
}

/** The links to the previous and the next page; their URLs allow opening them in a new tab. */
function TablePager<Row>({ table, page, top }: PagerProps<Row>) {
  const texts = useTexts('office:table')
  const view = useStore(table.$view)
  if (page.totalPages < 2) return null

  const go = (event: MouseEvent, to: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    table.show({ page: to })
    document.getElementById(top)?.scrollIntoView({ block: 'nearest' })
  }
  const step = (to: number, rel: 'prev' | 'next', text: string) =>
    to >= 0 && to < page.totalPages ? (
      <a
        className="button"
        rel={rel}
        href={table.addressOf({ ...view, page: to })}
        onClick={(event) => go(event, to)}
      >
        {text}
      </a>
    ) : (
      <span className="button" aria-disabled="true">
        {text}
      </span>
    )
  return (
    <nav className="cluster justify-center gap-3" aria-label={texts.pages}>
      {step(page.number - 1, 'prev', texts.previous)}
      <span>{fillText(texts.page, { page: page.number + 1, pages: page.totalPages })}</span>
      {step(page.number + 1, 'next', texts.next)}
    </nav>
  )
}

/** A filter: its name in the call and in the URL, and its options. */
export interface TableFilter {
  name: string
  label: string
  options: readonly { value: string; text: string }[]
  /** The text of the empty option, if the unfiltered list does not show all entries. */
  none?: string
}

/** A filter for one of these values, named as in the call; `texts` words them. */
export const filterOf = <Value extends string | number>(
  name: string,
  label: string,
  values: readonly Value[],
  texts: Readonly<Record<Value, string>> | ((value: Value) => string),
  none?: string,
): TableFilter => ({
  name,
  label,
  options: values.map((value) => ({
    value: String(value),
    text: typeof texts === 'function' ? texts(value) : texts[value],
  })),
  ...(none && { none }),
})

/** A filter for one of these documents. */
export const documentFilter = (
  name: string,
  label: string,
  documents: readonly { id: number; title: string }[],
): TableFilter => ({
  name,
  label,
  options: documents.map(({ id, title }) => ({ value: String(id), text: title })),
})

/** The filter of a list that shows what is in the state `waiting` unless another one is chosen. */
export function stateFilter<State extends string, Waiting extends State>(
  states: readonly State[],
  waiting: Waiting,
  texts: {
    state: string
    waiting: string
    states: Readonly<Record<Exclude<State, Waiting>, string>>
  },
): TableFilter {
  const isOther = (state: State): state is Exclude<State, Waiting> => state !== waiting
  return filterOf('state', texts.state, states.filter(isOther), texts.states, texts.waiting)
}

/** The supported sort values of a column; the first press on its heading uses the first one. */
function sortsOf(sorts: readonly string[], column: string | undefined): readonly string[] {
  return sorts.filter((sort) => sort.replace(/^-/, '') === column)
}
