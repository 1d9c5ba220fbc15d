import type { LogFilters, LoggedAction } from '../../../contract/office-log.ts'
import * as log from '../../../contract/office-log.ts'
import { type Cell, csvTable } from '../../../rules/csv.ts'
import { saveFile } from '../../../stores/shared/browser.ts'
import { ask } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'

const FILTERS = ['who', 'what', 'kind', 'from', 'to'] as const

export const logTable = tableOf(log.listLog, {
  filters: Object.fromEntries(
    FILTERS.map((name) => [name, (value: string) => filtersOf({ [name]: value })]),
  ),
})

const DAY = /^20\d\d-\d\d-\d\d$/

function filtersOf({
  q,
  who,
  what,
  kind,
  from,
  to,
}: Readonly<Record<string, unknown>>): LogFilters {
  const day = (value: unknown) => (DAY.test(String(value)) ? String(value) : undefined)
  const days = { from: day(from), to: day(to) }
  return {
    ...(q ? { q: String(q) } : {}),
    ...(/^([1-9]\d{0,8}|command-line)$/.test(String(who)) && { who: String(who) }),
    ...(what ? { what: String(what) } : {}),
    ...((kind === 'sights' || kind === 'deeds') && { kind }),
    ...(days.from && { from: days.from }),
    ...(days.to && { to: days.to }),
  }
}

export const { $state: $logChoices, load: loadLogChoices } = resource(log.getLogChoices)

/**
 * Saves the rows that match the table's filters as CSV; `isCut` if there were too many of them.
 * Throws an `ApiError`.
 */
export async function saveLog(
  head: readonly string[],
  cellsOf: (row: LoggedAction) => readonly Cell[],
): Promise<{ isCut: boolean }> {
  const { q, filters } = logTable.$view.get()
  const { rows, isCut } = await ask(log.exportLog, { query: filtersOf({ q, ...filters }) })
  const csv = csvTable([head, ...rows.map(cellsOf)])
  saveFile(new Blob([csv], { type: 'text/csv;charset=utf-8' }), 'karras-log.csv')
  return { isCut }
}
