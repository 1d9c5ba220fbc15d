import { formatMillimes, type Millimes } from './money.ts'

/** The content of a cell; a number is an amount or a count, `millimes` an amount to the millime. */
export type Cell = string | number | { readonly millimes: Millimes } | null

/**
 * A table as CSV that the French Excel opens: UTF-8 with a BOM, semicolons, decimal commas, CRLF.
 * Text that a spreadsheet would run as a formula is marked as text.
 */
export function csvTable(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${csvRows(rows)}`
}

/** Further rows of such a table, for one that is sent in pieces. */
export function csvRows(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(';')}\r\n`).join('')
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'object') return formatMillimes(cell.millimes, ',')
  if (typeof cell === 'number') return String(cell).replace('.', ',')
  // Also after spaces, which some programs skip.
  const text = /^\s*[=+\-@\t\r|]/.test(cell) ? `'${cell}` : cell
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
