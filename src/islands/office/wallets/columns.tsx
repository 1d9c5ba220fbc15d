import { type ReactNode, useState } from 'react'
import type { Adjustment } from '../../../contract/office-wallets.ts'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../parts/island.tsx'
import { Moment, Money, StateMark, Words } from '../parts/cells.tsx'
import type { Column } from '../parts/ShortTable.tsx'
import { type Act, DecideAdjustment } from './DecideAdjustment.tsx'
import { useTexts } from './texts.ts'

const MARKS = { proposed: 'waiting', made: 'good', refused: 'bad', withdrawn: 'off' } as const

interface Options {
  onDone: (text: string) => void
  /** Reloads the list. */
  refresh: () => void
}

/** The columns of a list of adjustments, and the dialog that its buttons open. */
export function useAdjustmentColumns({ onDone, refresh }: Options): {
  columns: readonly Column<Adjustment>[]
  dialog: ReactNode
} {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:adjustments')
  const [open, setOpen] = useState<{ adjustment: Adjustment; act: Act } | null>(null)

  const stateText = ({ state, decider, proposer, refusal }: Adjustment) => {
    const values = { name: `\u2068${decider}\u2069`, reason: `\u2068${refusal}\u2069` }
    if (state === 'refused') return fillText(texts.states.declined, values)
    const isConfirmed = state === 'made' && decider !== proposer
    return isConfirmed ? fillText(texts.states.confirmed, values) : texts.states[state]
  }
  const columns: readonly Column<Adjustment>[] = [
    {
      head: heads.customer,
      cell: ({ customer: { id, name } }) => (
        <a href={`${pathIn(locale, '/office/wallet')}?id=${id}`}>
          <Words>{name}</Words>
        </a>
      ),
    },
    { head: heads.amount, isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
    { head: heads.reason, isWide: true, cell: ({ reason }) => <Words>{reason}</Words> },
    { head: heads.proposer, cell: ({ proposer }) => <Words>{proposer}</Words> },
    { head: heads.date, cell: ({ proposedAt }) => <Moment at={proposedAt} withTime /> },
    {
      head: heads.state,
      isWide: true,
      cell: (adjustment) => (
        <StateMark kind={MARKS[adjustment.state]} text={stateText(adjustment)} />
      ),
    },
    {
      head: heads.actions,
      isActions: true,
      cell: (adjustment) => {
        if (adjustment.state !== 'proposed') return null
        const acts: readonly Act[] = adjustment.isYours ? ['withdraw'] : ['confirm', 'refuse']
        return (
          <span className="cluster">
            {acts.map((act) => (
              <button
                key={act}
                type="button"
                className={act === 'confirm' ? 'button button--primary' : 'button'}
                onClick={() => setOpen({ adjustment, act })}
              >
                {texts[act]}
              </button>
            ))}
          </span>
        )
      },
    },
  ]
  const dialog = open && (
    <DecideAdjustment
      {...open}
      refresh={refresh}
      onDone={() => onDone(texts.done[open.act])}
      onClose={() => setOpen(null)}
    />
  )
  return { columns, dialog }
}
