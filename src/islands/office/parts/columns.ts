import type { ReactNode } from 'react'

/** A column: its head, what it shows of a row, and how the server sorts by it. */
export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** The `sort` value of the call without its sign: `price`. */
  sort?: string
  /** An amount or a number: its digits are aligned. */
  isNumber?: boolean
  /** Text that two columns would break in the middle: on phones it has a line of its card to itself. */
  isWide?: boolean
  /** The buttons of the row, at the end of its card on phones. */
  isActions?: boolean
}

/** A filter: its name in the call and in the URL, and its options. */
export interface TableFilter {
  name: string
  label: string
  options: readonly { value: string; text: string }[]
  /** What the list shows without a choice, where that is not all of it. */
  none?: string
}

/** The sortings of a column that the call supports; the first is the one of a first press. */
export function sortsOf(sorts: readonly string[], column: string | undefined): readonly string[] {
  return sorts.filter((sort) => sort.replace(/^-/, '') === column)
}

/** The class of a column's cells. */
export function classOf<Row>({ isNumber, isWide, isActions }: Column<Row>): string | undefined {
  if (isActions) return 'office-table__actions'
  if (isWide) return 'office-table__wide'
  return isNumber ? 'office-table__number' : undefined
}
