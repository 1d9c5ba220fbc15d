import type { Result } from '../../contract/call.ts'
import type { getLogChoices, LogFilters, LoggedAction } from '../../contract/office-log.ts'
import * as log from '../../contract/office-log.ts'
import { type Cell, csvTable } from '../../rules/csv.ts'
import { saveFile } from '../shared/browser.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { createTable } from './table.ts'

const FILTERS = ['who', 'what', 'kind', 'from', 'to'] as const

export const logTable = createTable({
  what: 'log',
  sorts: ['-at'],
  filters: FILTERS,
  load: ({ page, sort: _, ...view }, signal) =>
    ask(log.listLog, { query: { page, ...filtersOf(view) } }, { signal }),
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

const choicesLoader = createLoader<Result<typeof getLogChoices>>('choices of the log')
export const $logChoices = choicesLoader.$state
export const loadLogChoices = (): Promise<void> =>
  choicesLoader.load(() => ask(log.getLogChoices, {}))

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
