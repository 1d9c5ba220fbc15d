import { useState } from 'react'
import type { Payout } from '../../../contract/payouts.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText } from '../../../i18n/format.ts'
import type { PayoutState } from '../../../rules/payouts.ts'
import { readableRib } from '../../../rules/rib.ts'
import { cancelPayout, payoutTable } from '../../../stores/office/payouts.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useLocale } from '../../parts/island.tsx'
import { Moment, Money, PAYOUT_MARKS, StateMark, Words } from '../parts/cells.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import type { Column } from '../parts/ShortTable.tsx'
import { useProblemText } from '../parts/use-attempt.tsx'
import { useTexts } from './texts.ts'

/** The requested payouts and their states; a pending one can be cancelled. */
export function PayoutList({ onCancelled }: { onCancelled: () => void }) {
  const locale = useLocale()
  const { list: texts } = useTexts('office-earnings:payouts')
  const problemText = useProblemText()
  const [busyId, setBusyId] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  const cancel = async (id: number) => {
    if (busyId !== null) return
    setBusyId(id)
    setProblem(null)
    try {
      await cancelPayout(id)
      onCancelled()
    } catch (error) {
      setProblem(problemOf(error))
      payoutTable.refresh()
    }
    setBusyId(null)
  }
  const stateText = (state: PayoutState, decidedAt: string | null) =>
    fillText(texts.states[state], { date: decidedAt ? formatDate(locale, decidedAt) : '' })
  const columns: readonly Column<Payout>[] = [
    { head: texts.requestedAt, cell: ({ requestedAt }) => <Moment at={requestedAt} /> },
    { head: texts.amount, isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
    {
      head: texts.state,
      cell: ({ state, decidedAt }) => (
        <StateMark kind={PAYOUT_MARKS[state]} text={stateText(state, decidedAt)} />
      ),
    },
    {
      head: texts.rib,
      cell: ({ rib }) => (
        <bdi className="rib" dir="ltr">
          {readableRib(rib)}
        </bdi>
      ),
    },
    {
      head: texts.more,
      cell: ({ reference, reason }) => {
        const note = reason ?? reference
        return note ? <Words>{note}</Words> : '–'
      },
    },
    {
      head: texts.actions,
      isActions: true,
      cell: ({ id, state }) =>
        state === 'requested' && (
          <button
            type="button"
            className="button"
            aria-busy={busyId === id}
            onClick={() => cancel(id)}
          >
            {texts.cancel}
          </button>
        ),
    },
  ]
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      {problem && <ErrorAlert text={problemText(problem)} />}
      <OfficeTable
        table={payoutTable}
        label={texts.label}
        columns={columns}
        rowKey={({ id }) => id}
        counts={texts.counts}
        empty={{ text: texts.empty }}
      />
    </section>
  )
}
