import type { ReactNode } from 'react'

/** A table column: its heading, its cells, and its sort value. */
export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** The `sort` value of the call without its sign: `price`. */
  sort?: string
  /** Whether the cells are amounts or numbers with aligned digits. */
  isNumber?: boolean
  /**
   * Whether the cell gets a whole line of its card on phones, because two columns are too narrow.
   */
  isWide?: boolean
  /** Whether the cells contain the row's buttons, shown at the end of its card on phones. */
  isActions?: boolean
}

/** A filter: its name in the call and in the URL, and its options. */
export interface TableFilter {
  name: string
  label: string
  options: readonly { value: string; text: string }[]
  /** The text of the empty option, if the unfiltered list does not show all entries. */
  none?: string
}

/** The supported sort values of a column; the first press on its heading uses the first one. */
export function sortsOf(sorts: readonly string[], column: string | undefined): readonly string[] {
  return sorts.filter((sort) => sort.replace(/^-/, '') === column)
}

/** The class of a column's cells. */
export function classOf<Row>({ isNumber, isWide, isActions }: Column<Row>): string | undefined {
  if (isActions) return 'office-table__actions'
  if (isWide) return 'office-table__wide'
  return isNumber ? 'office-table__number' : undefined
}
