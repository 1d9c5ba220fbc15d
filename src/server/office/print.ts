import { priceParts } from '../../i18n/format.ts'
import { HOUR_MS } from '../../rules/durations.ts'
import type { Millimes } from '../../rules/money.ts'

/** An amount as the English pages show it: `12.50 TND`. */
export function money(amount: Millimes): string {
  const { number, currency } = priceParts('en', amount)
  return `${number} ${currency}`
}

/** A time as `2026-03-05 14:30` in Tunisia (UTC+1 all year); `-` for null. */
export function moment(at: Date | null): string {
  if (!at) return '-'
  return new Date(at.getTime() + HOUR_MS).toISOString().slice(0, 16).replace('T', ' ')
}

/** A number with what it counts: `1 row`, `2 rows`, `1 entry`, `2 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** A size as `12.3 MB`. */
export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(count, 1)) / 3))
  const shown = count / 1000 ** power
  return `${power === 0 ? shown : shown.toFixed(1)} ${units[power]}`
}

/** A person as lists show them: `Amal Trabelsi <amal@mail.example>`. */
export function personOf(person: { firstName: string; lastName: string; email: string }): string {
  return `${person.firstName} ${person.lastName} <${person.email}>`
}

/**
 * Rows as aligned columns below their headings, or the line `none`. Put texts written by users
 * last: they may be Arabic, which terminals do not align.
 */
export function table<Row>(
  none: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number | null>>,
): string[] {
  if (rows.length === 0) return [none]
  const cells = rows.map((row) => Object.values(columns).map((read) => String(read(row) ?? '-')))
  const all = [Object.keys(columns), ...cells]
  const widths = Object.keys(columns).map((_, column) =>
    Math.max(...all.map((row) => [...(row[column] ?? '')].length)),
  )
  return all.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  )
}
