import type { ReactNode } from 'react'

/** A column: its name, what it shows of a row, and by what the server sorts it. */
export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** The sorting of the call without its sign: `price`. */
  sort?: string
  /** An amount or a number, whose digits stand under each other. */
  isNumber?: boolean
  /** The buttons of the row, at the end of its card on phones. */
  isActions?: boolean
}

/** A filter: its name in the call and in the address, and what can be chosen. */
export interface TableFilter {
  name: string
  label: string
  options: readonly { value: string; text: string }[]
  /** What the list shows without a choice, where that is not all of it. */
  none?: string
}

/** The sortings of a column that the call knows, the one that a first press asks for first. */
export function sortsOf(sorts: readonly string[], column: string | undefined): readonly string[] {
  return sorts.filter((sort) => sort.replace(/^-/, '') === column)
}

/** The class of a column's cells. */
export function classOf<Row>({ isNumber, isActions }: Column<Row>): string | undefined {
  if (isActions) return 'office-table__actions'
  return isNumber ? 'office-table__number' : undefined
}
