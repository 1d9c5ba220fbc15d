/** The content of a cell; a number is an amount or a count. */
export type Cell = string | number | null

/**
 * A table as CSV that the French Excel opens: UTF-8 with a BOM, semicolons, decimal commas, CRLF.
 * Text that a spreadsheet would run as a formula is marked as text.
 */
export function csvTable(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellText).join(';')}\r\n`).join('')}`
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell).replace('.', ',')
  // Also after spaces, which some programs skip.
  const text = /^\s*[=+\-@\t\r|]/.test(cell) ? `'${cell}` : cell
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
