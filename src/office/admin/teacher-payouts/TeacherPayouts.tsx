import type { TeacherPayout } from '../../../contract/payouts.ts'
import * as payouts from '../../../contract/payouts.ts'
import { fillText, isolate, priceText } from '../../../i18n/format.ts'
import { CopyButton } from '../../../islands/parts/CopyButton.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { PAYOUT_NOTE_MAX_LENGTH, PAYOUT_STATES } from '../../../rules/payouts.ts'
import { readableRib } from '../../../rules/rib.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { ask as call } from '../../kit/backend.ts'
import { type Question, useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment, PAYOUT_MARKS, Reference, StateMark, Words } from '../../kit/tables/cells.tsx'
import { OfficeTable, stateFilter } from '../../kit/tables/OfficeTable.tsx'
import {
  actsColumn,
  type Column,
  moneyColumn,
  withheldColumn,
} from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useOutcome } from '../acts/outcome.ts'
import { MailNote } from '../notices/MailNote.tsx'

/** The teachers' payout requests: pending ones, oldest first, or those in another state. */
const teacherPayoutTable = tableOf(payouts.listTeacherPayouts, {
  choices: { state: PAYOUT_STATES },
})

const { island, useTexts } = adminTexts(
  'office-money:payouts',
  'office-money:common',
  'office-acts:waits',
  'office:table',
  'office:confirm',
  'office-notices:folder',
)

function TeacherPayouts() {
  const { columns: heads, ...texts } = useTexts('office-money:payouts')
  const { see } = useTexts('office-acts:waits')
  const { ask, dialog, message } = useQuestions()
  const questionTo = useDecisions()
  const columns: readonly Column<TeacherPayout>[] = [
    { head: heads.teacher, cell: ({ teacher }) => <Words>{teacher.name}</Words> },
    withheldColumn(heads.amount, heads.withheld),
    moneyColumn(heads.transfer, ({ amount, withheld }) => amount - withheld),
    moneyColumn(heads.left, ({ left }) => left),
    {
      head: heads.account,
      isWide: true,
      cell: ({ holder, rib }) => <Rib holder={holder} rib={rib} />,
    },
    { head: heads.since, cell: ({ requestedAt }) => <Moment at={requestedAt} /> },
    {
      head: heads.state,
      isWide: true,
      cell: ({ state, reference, reason, isUnapproved, needsApproval, waits }) => {
        const phase = waits === null ? 'needsApproval' : 'waitsForApproval'
        const text = isUnapproved ? texts.unapproved : texts.states[needsApproval ? phase : state]
        const values = { reference: isolate(reference), reason: isolate(reason) }
        return (
          <StateMark
            kind={isUnapproved ? 'bad' : PAYOUT_MARKS[state]}
            text={fillText(text, values)}
          />
        )
      },
    },
    actsColumn(heads.actions, (payout) => {
      const { state, needsApproval, waits } = payout
      const isWaiting = state === 'requested'
      const buttonTo = (decision: Decision) => ({
        text: texts[decision].open,
        act: () => ask(questionTo[decision](payout)),
      })
      if (state === 'paid') return []
      return [
        waits !== null && { text: see, act: '/office/acts' },
        needsApproval && waits === null && { kind: 'primary', ...buttonTo('approval') },
        { kind: isWaiting && !needsApproval ? 'primary' : undefined, ...buttonTo('record') },
        isWaiting && buttonTo('refuse'),
      ]
    }),
  ]
  return (
    <>
      {message}
      <MailNote />
      <OfficeTable
        table={teacherPayoutTable}
        columns={columns}
        texts={texts}
        filters={[stateFilter(PAYOUT_STATES, 'requested', { ...texts, states: texts.filters })]}
      />
      {dialog}
    </>
  )
}

function Rib({ holder, rib }: { holder: string; rib: string }) {
  const texts = useTexts('office-money:payouts')
  return (
    <span className="cluster lines-1">
      <Words>{holder}</Words>
      <Reference>{readableRib(rib)}</Reference>
      <CopyButton text={rib} label={texts.copy} copied={texts.copied} />
    </span>
  )
}

type Decision = 'record' | 'refuse' | 'approval'

/** What each decision asks before it is made about a payout, as it was shown. */
function useDecisions() {
  const locale = useLocale()
  const texts = useTexts('office-money:payouts')
  const { mistakes } = useTexts('office-money:common')
  const outcome = useOutcome()
  const reason = useReason()(STAFF_REASON_MAX_LENGTH)
  const { record, refuse, approval } = texts
  const moneyOf = ({ amount, withheld, holder, rib }: TeacherPayout) => ({
    amount: amount - withheld,
    to: (
      <>
        <bdi>{holder}</bdi> · <Reference>{readableRib(rib)}</Reference>
      </>
    ),
  })
  const amountOf = (payout: TeacherPayout) => ({
    amount: priceText(locale, payout.amount - payout.withheld),
  })
  return {
    refuse: (payout: TeacherPayout): Question<'reason'> => ({
      ...refuse,
      isDanger: true,
      money: moneyOf(payout),
      fields: [reason],
      send: async (given, key) => {
        const input = { params: { id: payout.id }, body: { seen: payout.state, ...given } }
        const refused = call(payouts.refuseTeacherPayout, input, { idempotencyKey: key })
        await teacherPayoutTable.after(refused)
        return fillText(refuse.done, amountOf(payout))
      },
    }),
    approval: (payout: TeacherPayout): Question<'reason'> => ({
      title: approval.title,
      submit: approval.submit,
      money: moneyOf(payout),
      text: approval.text,
      fields: [reason],
      send: async (body, key) => {
        const input = { params: { id: payout.id }, body }
        const asked = call(payouts.askForPayoutApproval, input, { idempotencyKey: key })
        return outcome(await teacherPayoutTable.after(asked), '')
      },
    }),
    record(payout: TeacherPayout): Question<'reference' | 'transferredOn'> {
      const { left, needsApproval: wasTransferred } = payout
      const text = left !== null && left < 0 ? texts.owed : record.text
      const today = tunisianDay(new Date())
      return {
        title: record.title,
        submit: fillText(record.submit, amountOf(payout)),
        money: moneyOf(payout),
        text: wasTransferred ? `${texts.wasTransferred} ${text}` : text,
        fields: [
          {
            name: 'reference',
            label: record.reference,
            maxLength: PAYOUT_NOTE_MAX_LENGTH,
            check: (reference) => reference === '' && mistakes.required,
          },
          {
            name: 'transferredOn',
            label: record.day,
            type: 'date',
            max: today,
            initial: today,
            check: (day) => (day === '' || day > today) && mistakes.required,
          },
        ],
        send: async (given, key) => {
          const body = { seen: payout.state, ...given, wasTransferred }
          const input = { params: { id: payout.id }, body }
          const recorded = call(payouts.recordTeacherPayout, input, { idempotencyKey: key })
          await teacherPayoutTable.after(recorded)
          return fillText(record.done, amountOf(payout))
        },
      }
    },
  }
}

export default island(TeacherPayouts)
