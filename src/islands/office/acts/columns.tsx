import './acts.css'
import { type ReactNode, useState } from 'react'
import type { Act } from '../../../contract/office-acts.ts'
import { fillText } from '../../../i18n/format.ts'
import { actDetail } from '../../../i18n/office-log.ts'
import { decideAct } from '../../../stores/office/acts.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import { serverNow } from '../../../stores/shared/server-clock.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Button } from '../parts/Button.tsx'
import { ConfirmMoney } from '../parts/ConfirmDialog.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { Moment, StateMark, Words, WordsLink } from '../parts/cells.tsx'
import { momentText } from '../parts/dates.ts'
import { useActorName } from '../parts/office-texts.ts'
import { type Column, moneyColumn } from '../parts/ShortTable.tsx'

const MARKS = {
  waiting: 'waiting',
  done: 'good',
  refused: 'bad',
  withdrawn: 'off',
  changed: 'off',
} as const

interface Options {
  onDone: (text: string) => void
  /** Reloads the list. */
  refresh: () => void
}

export function useActColumns({ onDone, refresh }: Options): {
  columns: readonly Column<Act>[]
  dialog: ReactNode
} {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-acts:page')
  const kinds = useTexts('office-acts:kinds')
  const nameOf = useActorName()
  const detailOf = useActDetail()
  const [open, setOpen] = useState<{ act: Act; decision: Decision } | null>(null)

  const stateText = (act: Act) => {
    const { state, decider, proposer, refusal, aloneFrom, isYours, mayConfirm } = act
    const values = {
      name: `\u2068${nameOf(decider ?? '')}\u2069`,
      reason: `\u2068${refusal}\u2069`,
    }
    if (state === 'refused') return fillText(texts.states.declined, values)
    if (aloneFrom) return fillText(texts.states.alone, { at: momentText(locale, aloneFrom) })
    if (state === 'waiting' && !isYours) return texts.states[mayConfirm ? 'yours' : 'related']
    const isConfirmed = state === 'done' && decider !== proposer
    return isConfirmed ? fillText(texts.states.confirmed, values) : texts.states[state]
  }
  const columns: readonly Column<Act>[] = [
    { head: heads.kind, isWide: true, cell: ({ kind }) => kinds[kind] },
    {
      head: heads.customer,
      isWide: true,
      cell: ({ customer, ...act }) => (
        <span className="person-cell">
          {customer && (
            <WordsLink to={`/office/person?id=${customer.id}`}>{customer.name}</WordsLink>
          )}
          <Words>{detailOf(act)}</Words>
          {act.endsDeletion && <Words>{texts.endsDeletion}</Words>}
        </span>
      ),
    },
    moneyColumn(heads.amount, ({ amount }) => amount || null),
    { head: heads.reason, isWide: true, cell: ({ reason }) => <Words>{reason}</Words> },
    {
      head: heads.proposer,
      isWide: true,
      cell: ({ proposer, proposedAt }) => (
        <span className="person-cell">
          <Words>{nameOf(proposer)}</Words>
          <Moment at={proposedAt} withTime />
        </span>
      ),
    },
    {
      head: heads.state,
      isWide: true,
      cell: (act) => <StateMark kind={MARKS[act.state]} text={stateText(act)} />,
    },
    {
      head: heads.actions,
      isActions: true,
      cell: (act) => (
        <span className="cluster">
          {decisionsFor(act).map((decision) => (
            <Button
              key={decision}
              kind={decision === 'confirm' ? 'primary' : undefined}
              onClick={() => setOpen({ act, decision })}
            >
              {texts[decision]}
            </Button>
          ))}
        </span>
      ),
    },
  ]
  const dialog = open && (
    <DecideAct
      {...open}
      refresh={refresh}
      onDone={() => onDone(texts.done[open.decision])}
      onClose={() => setOpen(null)}
    />
  )
  return { columns, dialog }
}

/** Returns a function that says what an act is done to and where the money goes. */
function useActDetail(): (act: Omit<Act, 'customer'>) => string {
  const locale = useLocale()
  const page = useTexts('office-acts:page')
  const kinds = useTexts('office-acts:kinds')
  const bounds = useTexts('office-acts:bounds')
  return (act) => actDetail(locale, act, { page, kinds, bounds })
}

type Decision = 'confirm' | 'refuse' | 'withdraw'

function decisionsFor({ state, isYours, mayConfirm, aloneFrom }: Act): readonly Decision[] {
  if (state !== 'waiting') return []
  if (!isYours) return mayConfirm ? ['confirm', 'refuse'] : ['refuse']
  const isOver = aloneFrom !== null && Date.parse(aloneFrom) <= serverNow()
  return isOver ? ['confirm', 'withdraw'] : ['withdraw']
}

interface DecideActProps {
  act: Act
  decision: Decision
  refresh: () => void
  onDone: () => void
  onClose: () => void
}

function DecideAct({ act, decision, refresh, onDone, onClose }: DecideActProps) {
  const texts = useTexts('office-acts:page')
  const kinds = useTexts('office-acts:kinds')
  const [key] = useState(randomId)
  const detail = useActDetail()(act)
  const { id, kind, amount, customer, reason: proposedReason } = act
  const dialog = {
    title: texts.titles[decision],
    amount,
    label: kinds[kind],
    to: [customer?.name, detail].filter(Boolean).join(' '),
    submit: texts[decision],
    onClose,
  }
  const decide = async (reason: string) => {
    await decideAct({ id, key, refresh }, { decision, reason })
    onDone()
  }
  if (decision === 'refuse') return <ConfirmWithReason {...dialog} onConfirm={decide} />
  return (
    <ConfirmMoney
      {...dialog}
      text={fillText(texts.texts[decision], { reason: `\u2068${proposedReason}\u2069` })}
      onConfirm={() => decide('')}
    />
  )
}
