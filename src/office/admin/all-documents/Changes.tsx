import type { ListedBulkChange } from '../../../contract/office-bulk-changes.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { useActorName } from '../../kit/office-texts.ts'
import { Moment, Words } from '../../kit/tables/cells.tsx'
import { type Column, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { $changes, loadChanges } from './bulk-changes.ts'
import { useTexts } from './texts.ts'
import { Undo } from './Undo.tsx'
import { useChangeText } from './use-change-text.ts'

export function Changes() {
  const texts = useTexts('office-goods:changes')
  const columns = useColumns()
  return (
    <section className="all-documents__changes stack">
      <h2>{texts.heading}</h2>
      <LoadedStore store={$changes} load={loadChanges} texts={texts} shapes={['line', 'line']}>
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

function useColumns(): readonly Column<ListedBulkChange>[] {
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
