import { useState } from 'react'
import type { BulkChangeView, ListedBulkChange } from '../../../contract/office-bulk-changes.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { StatedFacts } from '../../documents/StatedFacts.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { LoadedStore, useLoaded } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { Moment, Pick, Words } from '../../kit/tables/cells.tsx'
import { actsColumn, type Column, ShortTable, TableSection } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { addFacts, factChanges, titleFacts, undoFacts } from './title-facts.ts'

const { island, useTexts } = officeTexts(
  'office-documents:stated',
  'office-documents:details',
  'office-documents:fields',
  'office-goods:changes',
  'office:confirm',
)

function TitleFacts() {
  const texts = useTexts('office-documents:stated')
  const action = useAction()
  return (
    <div className="stack gap-6">
      <p className="soft">{texts.intro}</p>
      {action.message}
      <LoadedStore from={titleFacts} texts={texts} shapes={['line', 'line', 'line']}>
        {(seen) =>
          seen ? <Seen key={seen.id} seen={seen} action={action} /> : <p>{texts.empty}</p>
        }
      </LoadedStore>
      <Changes />
    </div>
  )
}

interface SeenProps {
  seen: BulkChangeView
  action: ReturnType<typeof useAction>
}

/** What can be added, of which one picks, and the papers whose titles say nothing. */
function Seen({ seen, action: { attempt, isBusy } }: SeenProps) {
  const locale = useLocale()
  const texts = useTexts('office-documents:stated')
  const doneText = useDoneText()
  const { rows, changing, keptRows } = seen
  const [picked, setPicked] = useState<ReadonlySet<number>>(
    () => new Set(rows.map(({ document }) => document.id)),
  )
  const pick = (id: number, isPicked: boolean) =>
    setPicked((before) => {
      const after = new Set(before)
      if (isPicked) after.add(id)
      else after.delete(id)
      return after
    })
  const isWhole = picked.size === rows.length
  const hidden = isWhole ? changing - rows.length : 0
  const count = picked.size + hidden
  const correct = actsColumn<{ document: { id: number; title: string } }>(
    texts.columns.acts,
    ({ document: { id, title } }) => [
      {
        kind: 'plain',
        text: texts.correct,
        label: labelled(locale, texts.correct, title || texts.untitled),
        act: `/office/document?id=${id}`,
      },
    ],
  )
  const columns: readonly Column<(typeof rows)[number]>[] = [
    {
      head: texts.columns.document,
      cell: ({ document: { id, title } }) => (
        <Pick isPicked={picked.has(id)} onPick={(isPicked) => pick(id, isPicked)}>
          <Words>{title}</Words>
        </Pick>
      ),
    },
    { head: texts.columns.facts, isWide: true, cell: StatedFacts },
    correct,
  ]
  const keptColumns: readonly Column<(typeof keptRows)[number]>[] = [
    {
      head: texts.columns.document,
      cell: ({ document: { title } }) => <Words>{title || texts.untitled}</Words>,
    },
    {
      head: texts.columns.why,
      cell: ({ code }) => (code === 'under_review' ? texts.underReview : texts.nothingStated),
    },
    correct,
  ]
  const rowKey = ({ document }: { document: { id: number } }) => document.id
  return (
    <>
      {rows.length > 0 && (
        <section className="stack">
          <ShortTable label={texts.rows} columns={columns} rows={rows} rowKey={rowKey} />
          {hidden > 0 && <p className="soft">{pluralText(locale, texts.more, 'more', hidden)}</p>}
          <div className="cluster">
            <Button
              kind="primary"
              isBusy={isBusy}
              disabled={count === 0}
              onClick={() => attempt(async () => doneText(await addFacts(seen, picked)))}
            >
              {isBusy ? texts.adding : pluralText(locale, texts.add, 'add', count)}
            </Button>
          </div>
        </section>
      )}
      <TableSection label={texts.kept} columns={keptColumns} rows={keptRows} rowKey={rowKey} />
    </>
  )
}

function useDoneText(): (change: BulkChangeView) => string {
  const locale = useLocale()
  const texts = useTexts('office-documents:stated')
  return ({ state, changed }) =>
    state === 'running' ? texts.running : pluralText(locale, texts.done, 'done', changed)
}

function Changes() {
  const texts = useTexts('office-goods:changes')
  const doneText = useDoneText()
  const changes = useLoaded(factChanges) ?? []
  const { ask, message, dialog } = useQuestions()
  const { columns: heads, descriptions } = texts
  const undo = ({ id }: ListedBulkChange) =>
    ask({
      title: texts.undoTitle,
      submit: texts.undo,
      text: texts.undoText,
      send: async () => doneText(await undoFacts(id)),
    })
  const columns: readonly Column<ListedBulkChange>[] = [
    {
      head: heads.what,
      cell: ({ undoes }) =>
        undoes === null
          ? descriptions.facts
          : fillText(descriptions.undo, { what: descriptions.facts }),
    },
    { head: heads.changed, isNumber: true, cell: ({ changed }) => changed },
    { head: heads.at, cell: ({ at }) => <Moment at={at} withTime /> },
    {
      head: heads.actions,
      isActions: true,
      cell: (change) => {
        if (change.undoneBy !== null) return <span className="soft">{texts.undone}</span>
        if (!change.isDone || change.undoes !== null || change.changed === 0) return null
        return (
          <span className="cluster">
            <Button onClick={() => undo(change)}>{texts.undo}</Button>
          </span>
        )
      },
    },
  ]
  return (
    <>
      {message}
      <TableSection label={texts.heading} columns={columns} rows={changes} />
      {dialog}
    </>
  )
}

export default island(TitleFacts)
