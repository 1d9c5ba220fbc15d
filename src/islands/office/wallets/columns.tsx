import { type ReactNode, useState } from 'react'
import type { Adjustment } from '../../../contract/office-wallets.ts'
import { fillText } from '../../../i18n/format.ts'
import { decideAdjustment } from '../../../stores/office/wallets.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import { useTexts } from '../../parts/island.tsx'
import { Button } from '../parts/Button.tsx'
import { ConfirmMoney } from '../parts/ConfirmDialog.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { Moment, StateMark, Words, WordsLink } from '../parts/cells.tsx'
import { type Column, moneyColumn } from '../parts/ShortTable.tsx'

const MARKS = { proposed: 'waiting', made: 'good', refused: 'bad', withdrawn: 'off' } as const

interface Options {
  onDone: (text: string) => void
  /** Reloads the list. */
  refresh: () => void
}

export function useAdjustmentColumns({ onDone, refresh }: Options): {
  columns: readonly Column<Adjustment>[]
  dialog: ReactNode
} {
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
        <WordsLink to={`/office/wallet?id=${id}`}>{name}</WordsLink>
      ),
    },
    moneyColumn(heads.amount, ({ amount }) => amount),
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
              <Button
                key={act}
                kind={act === 'confirm' ? 'primary' : undefined}
                onClick={() => setOpen({ adjustment, act })}
              >
                {texts[act]}
              </Button>
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

type Act = 'confirm' | 'refuse' | 'withdraw'

interface DecideAdjustmentProps {
  adjustment: Adjustment
  act: Act
  refresh: () => void
  onDone: () => void
  onClose: () => void
}

function DecideAdjustment({ adjustment, act, refresh, onDone, onClose }: DecideAdjustmentProps) {
  const texts = useTexts('office-money:adjustments')
  const { to } = useTexts('office-money:adjust')
  const [key] = useState(randomId)
  const { id, amount, customer, reason: proposedReason } = adjustment
  const dialog = {
    title: texts.titles[act],
    amount,
    to: fillText(to, { name: `\u2068${customer.name}\u2069` }),
    submit: texts[act],
    onClose,
  }
  const decide = async (decision: Parameters<typeof decideAdjustment>[1]) => {
    await decideAdjustment({ id, key, refresh }, decision)
    onDone()
  }
  if (act === 'refuse') {
    return <ConfirmWithReason {...dialog} onConfirm={(reason) => decide({ act, reason })} />
  }
  return (
    <ConfirmMoney
      {...dialog}
      text={fillText(texts.texts[act], { reason: `\u2068${proposedReason}\u2069` })}
      onConfirm={() => decide({ act })}
    />
  )
}
