import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import './acts.css'
import type { ReactNode } from 'react'
import type { Act } from '../../../contract/office-acts.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { actDetail } from '../../../i18n/office-log.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { serverNow } from '../../../stores/shared/server-clock.ts'
import { momentText } from '../../kit/dates.ts'
import { useActorName } from '../../kit/office-texts.ts'
import { Moment, StateMark, Words, WordsLink } from '../../kit/tables/cells.tsx'
import { actsColumn, type Column, moneyColumn } from '../../kit/tables/ShortTable.tsx'
import { decideAct } from './acts.ts'

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
  const { ask, dialog } = useQuestions(onDone)
  const reason = useReason()(STAFF_REASON_MAX_LENGTH)

  const stateText = (act: Act) => {
    const { state, decider, proposer, refusal, aloneFrom, isYours, mayConfirm } = act
    const values = {
      name: isolate(nameOf(decider ?? '')),
      reason: isolate(refusal),
    }
    if (state === 'refused') return fillText(texts.states.declined, values)
    if (aloneFrom) return fillText(texts.states.alone, { at: momentText(locale, aloneFrom) })
    if (state === 'waiting' && !isYours) return texts.states[mayConfirm ? 'yours' : 'related']
    const isConfirmed = state === 'done' && decider !== proposer
    return isConfirmed ? fillText(texts.states.confirmed, values) : texts.states[state]
  }
  const decide = (act: Act, decision: Decision) => {
    const { id, kind, amount, customer } = act
    const isRefused = decision === 'refuse'
    ask({
      title: texts.titles[decision],
      submit: texts[decision],
      money: {
        amount,
        label: kinds[kind],
        to: [customer?.name, detailOf(act)].filter(Boolean).join(' '),
      },
      text: isRefused
        ? undefined
        : fillText(texts.texts[decision], { reason: isolate(act.reason) }),
      fields: isRefused ? [reason] : [],
      send: async (given, key) => {
        await decideAct({ id, key, refresh }, { decision, ...given })
        return texts.done[decision]
      },
    })
  }
  const columns: readonly Column<Act>[] = [
    { head: heads.kind, isWide: true, cell: ({ kind }) => kinds[kind] },
    {
      head: heads.customer,
      isWide: true,
      cell: ({ customer, ...act }) => (
        <span className="stack items-start gap-0">
          {customer && (
            <WordsLink to={`/office/person?id=${customer.id}`}>{customer.name}</WordsLink>
          )}
          {act.kind === 'transfer' ? (
            // Where the photos of its receipt are.
            <WordsLink to={`/office/transfers?q=${act.detail}`}>{detailOf(act)}</WordsLink>
          ) : (
            <Words>{detailOf(act)}</Words>
          )}
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
        <span className="stack items-start gap-0">
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
    actsColumn(heads.actions, (act) =>
      decisionsFor(act).map((decision) => ({
        text: texts[decision],
        kind: decision === 'confirm' ? 'primary' : undefined,
        act: () => decide(act, decision),
      })),
    ),
  ]
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
