import './teacher-payouts.css'
import { useState } from 'react'
import type { TeacherPayout } from '../../../contract/payouts.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { PAYOUT_STATES } from '../../../rules/payouts.ts'
import { teacherPayoutTable } from '../../../stores/office/teacher-payouts.ts'
import { useLocale } from '../../parts/island.tsx'
import { Moment, Money, PAYOUT_MARKS, StateMark, Words } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { MailNote } from '../parts/MailNote.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import type { Column } from '../parts/ShortTable.tsx'
import { DecidePayout, type Decision } from './DecidePayout.tsx'
import { Rib } from './Rib.tsx'
import { island, useTexts } from './texts.ts'

/** The teachers' payout requests with their bank accounts. */
function TeacherPayouts() {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:payouts')
  const [open, setOpen] = useState<{ payout: TeacherPayout; decision: Decision } | null>(null)
  const [done, setDone] = useDone()
  const columns: readonly Column<TeacherPayout>[] = [
    { head: heads.teacher, cell: ({ teacher }) => <Words>{teacher.name}</Words> },
    { head: heads.amount, isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
    {
      head: heads.left,
      isNumber: true,
      cell: ({ left }) => (left === null ? '–' : <Money amount={left} />),
    },
    {
      head: heads.account,
      isWide: true,
      cell: ({ holder, rib }) => <Rib holder={holder} rib={rib} />,
    },
    { head: heads.since, cell: ({ requestedAt }) => <Moment at={requestedAt} /> },
    {
      head: heads.state,
      isWide: true,
      cell: ({ state, reference, reason }) => (
        <StateMark
          kind={PAYOUT_MARKS[state]}
          text={fillText(texts.states[state], {
            reference: `\u2068${reference}\u2069`,
            reason: `\u2068${reason}\u2069`,
          })}
        />
      ),
    },
    {
      head: heads.actions,
      isActions: true,
      cell: (payout) => (
        <Actions payout={payout} onChoose={(decision) => setOpen({ payout, decision })} />
      ),
    },
  ]
  return (
    <>
      <Done text={done} />
      <MailNote />
      <OfficeTable
        table={teacherPayoutTable}
        label={texts.label}
        columns={columns}
        rowKey={({ id }) => id}
        counts={texts.counts}
        empty={texts.empty}
        filters={[
          {
            name: 'state',
            label: texts.state,
            none: texts.waiting,
            options: PAYOUT_STATES.flatMap((state) =>
              state === 'requested' ? [] : [{ value: state, text: texts.filters[state] }],
            ),
          },
        ]}
      />
      {open && (
        <DecidePayout
          {...open}
          onDone={() => {
            const amount = priceText(locale, open.payout.amount)
            setDone(fillText(texts[open.decision].done, { amount }))
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

interface ActionsProps {
  payout: TeacherPayout
  onChoose: (decision: Decision) => void
}

function Actions({ payout: { state }, onChoose }: ActionsProps) {
  const { record, refuse } = useTexts('office-money:payouts')
  if (state === 'paid') return null
  const isWaiting = state === 'requested'
  return (
    <span className="cluster">
      <button
        type="button"
        className={isWaiting ? 'button button--primary' : 'button'}
        onClick={() => onChoose('record')}
      >
        {record.open}
      </button>
      {isWaiting && (
        <button type="button" className="button" onClick={() => onChoose('refuse')}>
          {refuse.open}
        </button>
      )}
    </span>
  )
}

export default island(TeacherPayouts)
