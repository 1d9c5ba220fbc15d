import './all-documents.css'
import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type {
  BulkChangeView,
  ChangedRow,
  ListedBulkChange,
} from '../../../contract/office-bulk-changes.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, limitText, pluralText, priceText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Message } from '../../../islands/parts/Message.tsx'
import { PriceOrFree } from '../../../islands/parts/Price.tsx'
import type { BulkChangeKind } from '../../../rules/bulk-change.ts'
import { DOCUMENT_PRICE_MAX, DOCUMENT_PRICE_MIN } from '../../../rules/document-fields.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { DocumentStateMark } from '../../documents/DocumentStateMark.tsx'
import { lastDay } from '../../documents/documents.tsx'
import { StatedFacts } from '../../documents/StatedFacts.tsx'
import { useFieldTable } from '../../kit/forms/field-table.tsx'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { useActorName } from '../../kit/office-texts.ts'
import { Moment, Money, Words } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { type Column, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'
import {
  $change,
  allDocumentsTable,
  applyChange,
  bulkChanges,
  forgetChange,
  undoChange,
} from './all-documents.ts'
import { ChangeForm, Picking } from './ChangeForm.tsx'
import { useColumns, useFilters } from './columns.tsx'
import { island, useTexts } from './texts.ts'

function AllDocuments() {
  const texts = useTexts('office-goods:documents')
  const [isFormOpen, setFormOpen] = useState(false)
  const change = useStore($change, { ssr: () => null })
  const columns = useColumns()
  const filters = useFilters()
  // A preview replaces the list, so that the picked documents cannot change meanwhile.
  if (change?.state === 'previewed') {
    return <Preview key={change.id} change={change} onBack={forgetChange} />
  }
  return (
    <>
      {change && <Outcome key={change.id} change={change} />}
      {isFormOpen ? (
        <ChangeForm onClose={() => setFormOpen(false)} />
      ) : (
        <Picking
          onChange={() => {
            forgetChange()
            setFormOpen(true)
          }}
        />
      )}
      <OfficeTable table={allDocumentsTable} columns={columns} texts={texts} filters={filters} />
      <Changes />
    </>
  )
}

function Outcome({ change }: { change: BulkChangeView }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  const changeText = useChangeText()
  const count = pluralText(locale, texts.done, 'done', change.changed)
  const text = change.state === 'running' ? texts.running : `${changeText(change)}. ${count}`
  return (
    <section className="stack">
      <Message kind="success" text={text} />
      <KeptRows change={change} />
      {change.state === 'done' && change.changed > 0 && change.undoes === null && (
        <Undo change={change} />
      )}
    </section>
  )
}

function Changes() {
  const texts = useTexts('office-goods:changes')
  const columns = useChangeColumns()
  return (
    <section className="all-documents__changes stack">
      <h2>{texts.heading}</h2>
      <LoadedStore from={bulkChanges} texts={texts} shapes={['line', 'line']}>
        {(changes) =>
          changes.length === 0 ? (
            <p className="soft">{texts.empty}</p>
          ) : (
            <ShortTable label={texts.heading} columns={columns} rows={changes} />
          )
        }
      </LoadedStore>
    </section>
  )
}

function useChangeColumns(): readonly Column<ListedBulkChange>[] {
  const actorName = useActorName()
  const { columns: heads, ...texts } = useTexts('office-goods:changes')
  const changeText = useChangeText()
  return [
    { head: heads.what, cell: changeText },
    { head: heads.changed, isNumber: true, cell: ({ changed }) => changed },
    {
      head: heads.who,
      cell: ({ by }) => <Words>{actorName(by)}</Words>,
    },
    { head: heads.at, cell: ({ at }) => <Moment at={at} withTime /> },
    { head: heads.why, isWide: true, cell: ({ reason }) => <Words>{reason}</Words> },
    {
      head: heads.actions,
      isActions: true,
      cell: (change) => {
        if (change.undoneBy !== null) return <span className="soft">{texts.undone}</span>
        if (!change.isDone || change.undoes !== null || change.changed === 0) return null
        return <Undo change={change} />
      },
    },
  ]
}

function Preview({ change, onBack }: { change: BulkChangeView; onBack: () => void }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  const changeText = useChangeText()
  const heading = useRef<HTMLHeadingElement>(null)
  // A document's history tells its teacher of prices and sales, not of facts.
  const hint = change.kind === 'facts' ? undefined : texts.reasonHint
  const table = useFieldTable([useReason()(STAFF_REASON_MAX_LENGTH, { hint })])
  const { alert, attempt, isBusy } = useAction()
  const { changing, chosen } = change
  useEffect(() => heading.current?.focus(), [])

  const apply = async () => {
    if (table.check()) await attempt(() => applyChange(change, table.values.reason))
  }
  return (
    <section className="change stack">
      <h2 ref={heading} tabIndex={-1}>
        {changeText(change)}
      </h2>
      <p className="change__counts">
        <strong>{pluralText(locale, texts.changing, 'changing', changing)}</strong>{' '}
        <span className="soft">{pluralText(locale, texts.chosen, 'chosen', chosen)}</span>
      </p>
      <ChangedRows change={change} />
      <KeptRows change={change} />
      {alert}
      {changing > 0 && table.view}
      <div className="cluster">
        {changing > 0 && (
          <button
            type="button"
            className={`button button--${change.kind === 'unpublish' ? 'danger' : 'primary'}`}
            aria-busy={isBusy}
            onClick={apply}
          >
            {isBusy ? texts.applying : pluralText(locale, texts.apply, 'apply', changing)}
          </button>
        )}
        <Button disabled={isBusy} onClick={onBack}>
          {texts.back}
        </Button>
      </div>
    </section>
  )
}

function ChangedRows({ change: { kind, rows, changing } }: { change: BulkChangeView }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  const columns = useRowColumns(kind)
  if (rows.length === 0) return null
  return (
    <>
      <ShortTable
        label={texts.rows}
        columns={columns}
        rows={rows}
        rowKey={({ document }) => document.id}
      />
      {changing > rows.length && (
        <p className="soft">{pluralText(locale, texts.more, 'more', changing - rows.length)}</p>
      )}
    </>
  )
}

function useRowColumns(kind: BulkChangeKind): readonly Column<ChangedRow>[] {
  const { columns: heads } = useTexts('office-goods:change')
  const { free } = useTexts('common:price')
  const priceCell = ({ state, finalPrice }: ChangedRow['before']) =>
    state === 'published' && finalPrice !== null ? (
      <PriceOrFree amount={finalPrice} free={free} className="money" />
    ) : (
      <DocumentStateMark state={state} />
    )
  const earningsCell = ({ earns }: ChangedRow['before']) =>
    earns === null ? '–' : <Money amount={earns} />
  const document: Column<ChangedRow> = {
    head: heads.document,
    cell: ({ document }) => (
      <>
        <Words>{document.title}</Words>
        <span className="change__teacher soft small">
          <Words>{document.teacher}</Words>
        </span>
      </>
    ),
  }
  if (kind === 'facts') {
    return [document, { head: heads.facts, isWide: true, cell: StatedFacts }]
  }
  return [
    document,
    { head: heads.before, isNumber: true, cell: ({ before }) => priceCell(before) },
    { head: heads.after, isNumber: true, cell: ({ after }) => priceCell(after) },
    { head: heads.earnsBefore, isNumber: true, cell: ({ before }) => earningsCell(before) },
    { head: heads.earnsAfter, isNumber: true, cell: ({ after }) => earningsCell(after) },
  ]
}

function KeptRows({ change: { kept, keptRows } }: { change: BulkChangeView }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  if (kept.length === 0) return null
  const limits = {
    least: limitText(locale, DOCUMENT_PRICE_MIN),
    most: limitText(locale, DOCUMENT_PRICE_MAX),
  }
  return (
    <section className="stack">
      <h3>{texts.kept}</h3>
      <ul className="change__kept">
        {kept.map(({ code, count }) => (
          <li key={code}>
            <details>
              <summary>
                {fillText(texts.obstacles[code], limits)} <bdi className="soft">({count})</bdi>
              </summary>
              <ul>
                {keptRows
                  .filter((row) => row.code === code)
                  .map(({ document }) => (
                    <li key={document.id}>
                      <Words>{document.title || texts.untitled}</Words>{' '}
                      <span className="soft small">
                        <Words>{document.teacher}</Words>
                      </span>
                    </li>
                  ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}

type UndoableChange = Pick<
  ListedBulkChange,
  'id' | 'kind' | 'price' | 'percent' | 'from' | 'until' | 'undoes'
>

function Undo({ change }: { change: UndoableChange }) {
  const texts = useTexts('office-goods:changes')
  const { reasonHint: hint } = useTexts('office-goods:change')
  const changeText = useChangeText()
  const { ask, dialog } = useQuestions()
  const reason = useReason()
  const undo = () =>
    ask({
      title: texts.undoTitle,
      submit: texts.undo,
      about: (
        <p>
          <strong>{changeText(change)}</strong>
        </p>
      ),
      text: texts.undoText,
      fields: [reason(STAFF_REASON_MAX_LENGTH, { hint })],
      send: (given) => undoChange(change.id, given.reason),
    })
  return (
    <>
      <Button onClick={undo}>{texts.undo}</Button>
      {dialog}
    </>
  )
}

type DescribedChange = Pick<
  ListedBulkChange,
  'kind' | 'price' | 'percent' | 'from' | 'until' | 'undoes'
>

function useChangeText(): (change: DescribedChange) => string {
  const locale = useLocale()
  const { descriptions } = useTexts('office-goods:changes')
  const { percent: rate } = useTexts('office:table')
  return ({ kind, price, percent, from, until, undoes }) => {
    const text = kind === 'percent' && (percent ?? 0) < 0 ? descriptions.lower : descriptions[kind]
    const words = fillText(text, {
      price: price === null ? '' : priceText(locale, price),
      percent: fillText(rate, { percent: Math.abs(percent ?? 0) }),
      from: from ? formatDate(locale, from) : '',
      until: until ? lastDay(locale, until) : '',
    })
    return undoes === null ? words : fillText(descriptions.undo, { what: words })
  }
}

export default island(AllDocuments)
