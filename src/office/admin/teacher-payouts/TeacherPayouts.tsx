import './teacher-payouts.css'
import { useState } from 'react'
import type { TeacherPayout } from '../../../contract/payouts.ts'
import * as payouts from '../../../contract/payouts.ts'
import { fillText, isolate, priceText } from '../../../i18n/format.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { PAYOUT_NOTE_MAX_LENGTH, PAYOUT_STATES } from '../../../rules/payouts.ts'
import { readableRib } from '../../../rules/rib.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { ask as call } from '../../kit/backend.ts'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment, PAYOUT_MARKS, Reference, StateMark, Words } from '../../kit/tables/cells.tsx'
import { OfficeTable, stateFilter } from '../../kit/tables/OfficeTable.tsx'
import { type Column, moneyColumn, withheldColumn } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useAction } from '../../kit/use-action.tsx'
import { MailNote } from '../notices/MailNote.tsx'

/** The teachers' payout requests: pending ones, oldest first, or those in another state. */
const teacherPayoutTable = tableOf(payouts.listTeacherPayouts, {
  choices: { state: PAYOUT_STATES },
})

/** Records the bank transfer of a payout as it was shown; the same `key` records it only once. */
async function recordPayout(
  { id, state: seen }: TeacherPayout,
  transfer: { reference: string; transferredOn: string; wasTransferred: boolean },
  key: string,
): Promise<void> {
  const input = { params: { id }, body: { seen, ...transfer } }
  await andRefresh(call(payouts.recordTeacherPayout, input, { idempotencyKey: key }))
}

/** Asks a second person to approve a payout before it is transferred. */
async function askForApproval({ id }: TeacherPayout, reason: string, key: string): Promise<void> {
  const input = { params: { id }, body: { reason } }
  await andRefresh(call(payouts.askForPayoutApproval, input, { idempotencyKey: key }))
}

/** Refuses a payout as it was shown; the same `key` refuses it only once. */
async function refusePayout(
  { id, state: seen }: TeacherPayout,
  reason: string,
  key: string,
): Promise<void> {
  const input = { params: { id }, body: { seen, reason } }
  await andRefresh(call(payouts.refuseTeacherPayout, input, { idempotencyKey: key }))
}

const andRefresh = (work: Promise<unknown>) => work.finally(teacherPayoutTable.refresh)

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
  const { message, say } = useAction()
  const { ask, dialog } = useQuestions(say)
  const questions = useDecisions()
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
    {
      head: heads.actions,
      isActions: true,
      cell: (payout) => (
        <Actions payout={payout} onChoose={(decision) => questions[decision](payout, ask)} />
      ),
    },
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

interface ActionsProps {
  payout: TeacherPayout
  onChoose: (decision: Decision) => void
}

function Actions({ payout: { state, needsApproval, waits }, onChoose }: ActionsProps) {
  const { record, refuse, approval } = useTexts('office-money:payouts')
  const { see } = useTexts('office-acts:waits')
  if (state === 'paid') return null
  const isWaiting = state === 'requested'
  return (
    <span className="cluster">
      {waits !== null && <ButtonLink to="/office/acts">{see}</ButtonLink>}
      {needsApproval && waits === null && (
        <Button kind="primary" onClick={() => onChoose('approval')}>
          {approval.open}
        </Button>
      )}
      <Button
        kind={isWaiting && !needsApproval ? 'primary' : undefined}
        onClick={() => onChoose('record')}
      >
        {record.open}
      </Button>
      {isWaiting && <Button onClick={() => onChoose('refuse')}>{refuse.open}</Button>}
    </span>
  )
}

function Rib({ holder, rib }: { holder: string; rib: string }) {
  const texts = useTexts('office-money:payouts')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(rib)
      setCopied(true)
    } catch {
      // The browser forbids copying, but the user can still select the number.
    }
  }
  return (
    <span className="payout-account">
      <Words>{holder}</Words>
      <Reference>{readableRib(rib)}</Reference>
      <Button onClick={copy}>
        <span role="status">{isCopied ? texts.copied : texts.copy}</span>
      </Button>
    </span>
  )
}

type Decision = 'record' | 'refuse' | 'approval'

type Ask = ReturnType<typeof useQuestions>['ask']

/** What each decision asks before it is made. */
function useDecisions(): Readonly<Record<Decision, (payout: TeacherPayout, ask: Ask) => void>> {
  const locale = useLocale()
  const texts = useTexts('office-money:payouts')
  const { mistakes } = useTexts('office-money:common')
  const waits = useTexts('office-acts:waits')
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
    refuse: (payout, ask) =>
      ask({
        ...refuse,
        isDanger: true,
        money: moneyOf(payout),
        fields: [reason],
        send: async (given, key) => {
          await refusePayout(payout, given.reason, key)
          return fillText(refuse.done, amountOf(payout))
        },
      }),
    approval: (payout, ask) =>
      ask({
        title: approval.title,
        submit: approval.submit,
        money: moneyOf(payout),
        text: approval.text,
        fields: [reason],
        send: async (given, key) => {
          await askForApproval(payout, given.reason, key)
          return waits.text
        },
      }),
    record(payout, ask) {
      const { left, needsApproval: wasTransferred } = payout
      const text = left !== null && left < 0 ? texts.owed : record.text
      const today = tunisianDay(new Date())
      ask({
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
          await recordPayout(payout, { ...given, wasTransferred }, key)
          return fillText(record.done, amountOf(payout))
        },
      })
    },
  }
}

export default island(TeacherPayouts)
