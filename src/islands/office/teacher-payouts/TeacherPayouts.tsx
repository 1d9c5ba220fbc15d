import './teacher-payouts.css'
import { useState } from 'react'
import type { TeacherPayout } from '../../../contract/payouts.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { PAYOUT_NOTE_MAX_LENGTH, PAYOUT_STATES } from '../../../rules/payouts.ts'
import { readableRib } from '../../../rules/rib.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import {
  askForApproval,
  recordPayout,
  refusePayout,
  teacherPayoutTable,
} from '../../../stores/office/teacher-payouts.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale } from '../../parts/island.tsx'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { ConfirmMoney } from '../parts/ConfirmDialog.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { Moment, PAYOUT_MARKS, Reference, StateMark, Words } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { MailNote } from '../parts/MailNote.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import { adminTexts } from '../parts/office-texts.ts'
import { type Column, moneyColumn, withheldColumn } from '../parts/ShortTable.tsx'

const { island, useTexts } = adminTexts(
  'office-money:payouts',
  'office-money:common',
  'office-acts:waits',
  'office:table',
  'office:confirm',
  'office-notices:folder',
)

function TeacherPayouts() {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:payouts')
  const waits = useTexts('office-acts:waits')
  const [open, setOpen] = useState<{ payout: TeacherPayout; decision: Decision } | null>(null)
  const [done, setDone] = useDone()
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
        const values = { reference: `\u2068${reference}\u2069`, reason: `\u2068${reason}\u2069` }
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
            if (open.decision === 'approval') return setDone(waits.text)
            const amount = priceText(locale, open.payout.amount - open.payout.withheld)
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

interface DecidePayoutProps {
  payout: TeacherPayout
  decision: Decision
  onDone: () => void
  onClose: () => void
}

function DecidePayout({ payout, decision, onDone, onClose }: DecidePayoutProps) {
  const locale = useLocale()
  const texts = useTexts('office-money:payouts')
  const { mistakes } = useTexts('office-money:common')
  const [key] = useState(randomId)
  const [reference, setReference] = useState('')
  const [transferredOn, setDay] = useState(() => tunisianDay(new Date()))
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const { holder, rib, left } = payout
  const amount = payout.amount - payout.withheld
  const to = (
    <>
      <bdi>{holder}</bdi> · <Reference>{readableRib(rib)}</Reference>
    </>
  )
  const commonProps = { amount, to, onClose }
  if (decision === 'refuse') {
    return (
      <ConfirmWithReason
        {...commonProps}
        {...texts.refuse}
        isDanger
        onConfirm={async (reason) => {
          await refusePayout(payout, reason, key)
          onDone()
        }}
      />
    )
  }
  if (decision === 'approval') {
    const { title, submit, text } = texts.approval
    return (
      <ConfirmWithReason
        {...commonProps}
        title={title}
        submit={submit}
        text={text}
        onConfirm={async (reason) => {
          await askForApproval(payout, reason, key)
          onDone()
        }}
      />
    )
  }
  const { record } = texts
  const wasTransferred = payout.needsApproval
  const text = left !== null && left < 0 ? texts.owed : record.text
  const today = tunisianDay(new Date())
  const isValid = reference.trim() !== '' && transferredOn !== '' && transferredOn <= today
  return (
    <ConfirmMoney
      {...commonProps}
      title={record.title}
      text={wasTransferred ? `${texts.wasTransferred} ${text}` : text}
      submit={fillText(record.submit, { amount: priceText(locale, amount) })}
      check={() => {
        setHasSubmitted(true)
        return isValid
      }}
      onConfirm={async () => {
        await recordPayout(
          payout,
          { reference: reference.trim(), transferredOn, wasTransferred },
          key,
        )
        onDone()
      }}
    >
      <Field
        name="reference"
        label={record.reference}
        error={hasSubmitted && reference.trim() === '' ? mistakes.required : undefined}
        maxLength={PAYOUT_NOTE_MAX_LENGTH}
        autoComplete="off"
        dir="auto"
        value={reference}
        onChange={({ target }) => setReference(target.value)}
      />
      <Field
        name="day"
        type="date"
        label={record.day}
        error={
          hasSubmitted && !(transferredOn && transferredOn <= today) ? mistakes.required : undefined
        }
        max={today}
        value={transferredOn}
        onChange={({ target }) => setDay(target.value)}
      />
    </ConfirmMoney>
  )
}

export default island(TeacherPayouts)
