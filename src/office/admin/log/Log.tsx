import './log.css'
import { useStore } from '@nanostores/react'
import { useId, useState } from 'react'
import * as log from '../../../contract/office-log.ts'
import {
  LOG_EXPORTED_AT_MOST,
  type LogFilters,
  type LoggedAction,
} from '../../../contract/office-log.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { actionText, subjectText } from '../../../i18n/office-log.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Message } from '../../../islands/parts/Message.tsx'
import { type Cell, csvTable } from '../../../rules/csv.ts'
import { textOrder } from '../../../rules/text-order.ts'
import { saveFile } from '../../../stores/shared/browser.ts'
import { shownReference } from '../../../stores/shared/references.ts'
import { ask } from '../../kit/backend.ts'
import { momentText } from '../../kit/dates.ts'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { adminTexts, useActorName } from '../../kit/office-texts.ts'
import { Moment, Words } from '../../kit/tables/cells.tsx'
import { filterOf, OfficeTable, type TableFilter } from '../../kit/tables/OfficeTable.tsx'
import type { Column } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useAction } from '../../kit/use-action.tsx'
import { useReasonText } from './reason-text.ts'
import { Subject } from './Subject.tsx'

const FILTERS = ['who', 'what', 'kind', 'from', 'to'] as const

const logTable = tableOf(log.listLog, {
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

const logChoices = resource(log.getLogChoices)

/**
 * Saves the rows that match the table's filters as CSV; `isCut` if there were too many of them.
 * Throws an `ApiError`.
 */
async function saveLog(
  head: readonly string[],
  cellsOf: (row: LoggedAction) => readonly Cell[],
): Promise<{ isCut: boolean }> {
  const { q, filters } = logTable.$view.get()
  const { rows, isCut } = await ask(log.exportLog, { query: filtersOf({ q, ...filters }) })
  const csv = csvTable([head, ...rows.map(cellsOf)])
  saveFile(new Blob([csv], { type: 'text/csv;charset=utf-8' }), 'karras-log.csv')
  return { isCut }
}

const { island, useTexts } = adminTexts(
  'office-log:log',
  'office-log:actions',
  'office-log:subjects',
  'office-log:settings',
  'office-log:fields',
  'office-acts:kinds',
  'office-acts:bounds',
  'office:table',
)

function Log() {
  const texts = useTexts('office-log:log')
  return (
    <>
      <div className="log__tools cluster items-end gap-4 lines-3">
        <Days />
        <Export />
      </div>
      <OfficeTable table={logTable} columns={useColumns()} texts={texts} filters={useFilters()} />
    </>
  )
}

function useColumns(): readonly Column<LoggedAction>[] {
  const { columns: heads } = useTexts('office-log:log')
  const actions = useTexts('office-log:actions')
  const nameOf = useActorName()
  const reasonText = useReasonText()
  return [
    { head: heads.what, cell: ({ action }) => actionText(action, actions) },
    { head: heads.whom, cell: ({ subject }) => <Subject subject={subject} /> },
    { head: heads.who, cell: ({ actor }) => <Words>{nameOf(actor.name)}</Words> },
    { head: heads.at, cell: ({ at }) => <Moment at={at} withTime /> },
    {
      head: heads.why,
      cell: (row) => (row.reason === null ? '–' : <Words>{inOrder(reasonText(row))}</Words>),
    },
  ]
}

/** Isolates an old and a new value, because Arabic text would reverse their order. */
function inOrder(reason: string): string {
  const values = reason.split(' → ')
  return values.length < 2 ? reason : values.map((each) => isolate(each)).join(' → ')
}

function useFilters(): readonly TableFilter[] {
  const { filters: labels } = useTexts('office-log:log')
  const nameOf = useActorName()
  const words = useTexts('office-log:actions')
  const locale = useLocale()
  const { actors, actions } = useLoaded(logChoices) ?? { actors: [], actions: [] }
  const textOfAction = (action: string) => actionText(action, words)
  const inOrder = textOrder(locale)
  return [
    filterOf('kind', labels.kind, ['deeds', 'sights'], labels),
    {
      name: 'who',
      label: labels.who,
      options: actors.map(({ who, name }) => ({ value: who, text: nameOf(name) })),
    },
    filterOf(
      'what',
      labels.what,
      actions.toSorted((a, b) => inOrder(textOfAction(a), textOfAction(b))),
      textOfAction,
    ),
  ]
}

function Days() {
  const texts = useTexts('office-log:log')
  const { filters } = useStore(logTable.$view)
  const id = useId()
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{texts[name]}</label>
          <input
            id={`${id}-${name}`}
            type="date"
            value={filters[name] ?? ''}
            onChange={({ target }) => logTable.filter(name, target.value)}
          />
        </div>
      ))}
    </>
  )
}

function Export() {
  const locale = useLocale()
  const texts = useTexts('office-log:log')
  const actions = useTexts('office-log:actions')
  const subjects = useTexts('office-log:subjects')
  const nameOf = useActorName()
  const reasonText = useReasonText()
  const { alert, attempt, isBusy } = useAction()
  const [notice, setNotice] = useState('')
  const save = async () => {
    setNotice('')
    const { at, who, what, whom, why } = texts.columns
    const { isCut } = await saveLog([at, who, what, whom, why], (row) => [
      momentText(locale, row.at),
      nameOf(row.actor.name),
      actionText(row.action, actions),
      [subjectText(row.subject, subjects, shownReference), row.subject.name]
        .filter(Boolean)
        .join(' · '),
      row.reason === null ? null : reasonText(row),
    ])
    if (isCut) setNotice(fillText(texts.cut, { count: LOG_EXPORTED_AT_MOST }))
  }
  return (
    <>
      <Button className="push" isBusy={isBusy} onClick={() => attempt(save)}>
        {isBusy ? texts.exporting : texts.export}
      </Button>
      {alert}
      {notice && <Message kind="note" text={notice} />}
    </>
  )
}

export default island(Log)
