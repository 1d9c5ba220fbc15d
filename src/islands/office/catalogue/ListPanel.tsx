import { useState } from 'react'
import type { Entry, List } from '../../../contract/office-catalogue.ts'
import type { ListName } from '../../../rules/catalogue-lists.ts'
import { LEVELS } from '../../../rules/price-bands.ts'
import { refreshLists, saveOrder } from '../../../stores/office/catalogue/lists.ts'
import { useLocale } from '../../parts/island.tsx'
import { EmptyState } from '../../parts/States.tsx'
import { moved, SaveOrder } from '../parts/SaveOrder.tsx'
import { History } from '../site/History.tsx'
import { EntryRow } from './EntryRow.tsx'
import { NewEntry } from './NewEntry.tsx'
import { useLabels, useTexts } from './texts.ts'

/** One list: a form for a new entry, the entries in order, and the history of the order. */
export function ListPanel({ name, list }: { name: ListName; list: List }) {
  const locale = useLocale()
  const texts = useTexts('office-catalogue:lists')
  const order = useTexts('office-catalogue:order')
  const levels = useTexts('catalogue:levels')
  const label = useLabels()
  const [unsavedOrder, setUnsavedOrder] = useState<readonly number[] | null>(null)
  const entries = ordered(list.entries, unsavedOrder)
  const ids = entries.map(({ id }) => id)
  const nameOf = (entry: Entry) => entry.names[locale] || `#${entry.id}`
  const groups =
    name === 'classes'
      ? LEVELS.toReversed().map((level) => ({
          heading: levels[level].name,
          rows: entries.filter((entry) => entry.level === level),
        }))
      : [{ heading: '', rows: entries }]
  return (
    <>
      <NewEntry name={name} />
      {entries.length === 0 && <EmptyState text={texts.empty} />}
      {groups.map(({ heading, rows }) => (
        <section key={heading}>
          {heading && <h2 className="lists__heading">{heading}</h2>}
          <ol className="lists__entries">
            {rows.map((entry, at) => (
              <EntryRow
                key={entry.id}
                list={name}
                entry={entry}
                isFirst={at === 0}
                isLast={at === rows.length - 1}
                onMove={(by) => {
                  const group = rows.map(({ id }) => id)
                  setUnsavedOrder(moved(ids, entry.id, by, group))
                }}
              />
            ))}
          </ol>
        </section>
      ))}
      {unsavedOrder && (
        <SaveOrder
          texts={order}
          mine={entries.map(nameOf)}
          theirs={list.entries.map(nameOf)}
          onSave={async () => {
            await saveOrder(name, list.revision, ids)
            setUnsavedOrder(null)
          }}
          onConflict={refreshLists}
          onDrop={() => setUnsavedOrder(null)}
        />
      )}
      <section>
        <h2 className="lists__heading">{texts.orders}</h2>
        <History subject={`list ${name}`} revision={list.revision} label={label} />
      </section>
    </>
  )
}

/** The entries in the unsaved order; entries missing from it come last. */
function ordered(
  entries: readonly Entry[],
  unsavedOrder: readonly number[] | null,
): readonly Entry[] {
  if (!unsavedOrder) return entries
  const place = ({ id }: Entry) =>
    unsavedOrder.includes(id) ? unsavedOrder.indexOf(id) : unsavedOrder.length
  return entries.toSorted((a, b) => place(a) - place(b))
}
