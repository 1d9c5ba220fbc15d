import { useState } from 'react'
import type { Entry, List } from '../../../contract/office-catalogue.ts'
import type { ListName } from '../../../rules/catalogue-lists.ts'
import { LEVELS } from '../../../rules/price-bands.ts'
import { refreshLists, saveOrder } from '../../../stores/office/catalogue/lists.ts'
import { useLocale } from '../../parts/island.tsx'
import { EmptyState } from '../../parts/States.tsx'
import { moved } from '../parts/MoveButtons.tsx'
import { SaveOrder } from '../parts/SaveOrder.tsx'
import { History } from '../site/History.tsx'
import { EntryRow } from './EntryRow.tsx'
import { NewEntry } from './NewEntry.tsx'
import { useLabels, useTexts } from './texts.ts'

/** One list: a new entry, the entries in their order, and the history of that order. */
export function ListPanel({ name, list }: { name: ListName; list: List }) {
  const locale = useLocale()
  const texts = useTexts('office-catalogue:lists')
  const order = useTexts('office-catalogue:order')
  const levels = useTexts('catalogue:levels')
  const label = useLabels()
  const [wanted, setWanted] = useState<readonly number[] | null>(null)
  const entries = ordered(list.entries, wanted)
  const ids = entries.map(({ id }) => id)
  const called = (entry: Entry) => entry.names[locale] || `#${entry.id}`
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
                  const within = rows.map(({ id }) => id)
                  setWanted(moved(ids, entry.id, by, within))
                }}
              />
            ))}
          </ol>
        </section>
      ))}
      {wanted && (
        <SaveOrder
          texts={order}
          mine={entries.map(called)}
          theirs={list.entries.map(called)}
          onSave={async () => {
            await saveOrder(name, list.revision, ids)
            setWanted(null)
          }}
          onConflict={refreshLists}
          onDrop={() => setWanted(null)}
        />
      )}
      <section>
        <h2 className="lists__heading">{texts.orders}</h2>
        <History subject={`list ${name}`} revision={list.revision} label={label} />
      </section>
    </>
  )
}

/** The entries as they are ordered here, those that are newer behind them. */
function ordered(entries: readonly Entry[], wanted: readonly number[] | null): readonly Entry[] {
  if (!wanted) return entries
  const place = ({ id }: Entry) => (wanted.includes(id) ? wanted.indexOf(id) : wanted.length)
  return entries.toSorted((a, b) => place(a) - place(b))
}
