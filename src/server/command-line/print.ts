import { priceParts } from '../../i18n/format.ts'
import { HOUR_MS } from '../../rules/durations.ts'
import type { Millimes } from '../../rules/money.ts'
import { previewText } from '../../rules/preview-text.ts'

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

const CELL_MAX = 80

/** A page of a list, as `pageOf` of the contract makes it. */
interface ListPage {
  readonly content: readonly unknown[]
  readonly totalElements: number
  readonly totalPages: number
  readonly number: number
}

const isPage = (value: unknown): value is ListPage =>
  typeof value === 'object' &&
  value !== null &&
  'content' in value &&
  'totalPages' in value &&
  'number' in value &&
  Array.isArray(value.content)

const ISO_MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Any answer of a call as lines: a list as a table, an object as its fields, a text as it is. */
export function readable(value: unknown): string[] {
  if (value === undefined || value === null) return ['Done.']
  if (typeof value === 'string') return value.replace('\uFEFF', '').trimEnd().split(/\r?\n/)
  if (!Array.isArray(value)) return isPage(value) ? linesOfPage(value) : linesOf('', value)
  if (value.length === 0) return ['Nothing.']
  const rows = value.map((row) => new Map(leavesOf('', row)))
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const cells = rows.map((row) => names.map((name) => cellOf(row.get(name))))
  const widths = names.map((name, at) =>
    Math.max(...[name, ...cells.map((row) => row[at] ?? '')].map((cell) => [...cell].length)),
  )
  const padded = (cell: string, at: number) =>
    cell + ' '.repeat((widths[at] ?? 0) - [...cell].length)
  return [names, ...cells].map((row) => row.map(padded).join('  ').trimEnd())
}

function linesOfPage({
  content,
  totalElements,
  totalPages,
  number,
  ...others
}: ListPage): string[] {
  const { size: _, ...more } = others as Record<string, unknown>
  const next = number + 1 < totalPages ? `; page=${number + 1} shows the next` : ''
  const place = `Page ${number + 1} of ${totalPages}, ${totalElements} in all${next}.`
  return [...readable(content), '', ...(totalPages > 0 ? [place] : []), ...linesOf('', more)]
}

// Texts of customers have line breaks, and one row is one line.
const cellOf = (text = '-') => previewText(text.replace(/\s+/g, ' '), CELL_MAX)

function linesOf(name: string, value: unknown): string[] {
  const isList = Array.isArray(value) && value.some((each) => typeof each === 'object')
  if (isList) return ['', `${name}:`, ...readable(value).map((line) => `  ${line}`), '']
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, inner]) =>
      linesOf(name ? `${name}.${key}` : key, inner),
    )
  }
  const text = leavesOf(name, value)[0]?.[1] ?? ''
  // A line is printed by itself, since a line break within one is shown as `\ufffd`.
  if (!text.includes('\n')) return [`${name}: ${text}`]
  return [`${name}:`, ...text.split(/\r?\n/).map((line) => `  ${line}`)]
}

/** The fields of a value with their texts; those of objects are named `a.b`. */
function leavesOf(name: string, value: unknown): [name: string, text: string][] {
  if (Array.isArray(value)) {
    const items = value.map((item) => leavesOf('', item).map(([, text]) => text))
    return [[name, items.map((texts) => texts.join(' ')).join(', ')]]
  }
  if (typeof value === 'string' && ISO_MOMENT.test(value)) return [[name, moment(new Date(value))]]
  if (typeof value !== 'object' || value === null) return [[name, String(value ?? '-')]]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(name ? `${name}.${key}` : key, inner),
  )
}
