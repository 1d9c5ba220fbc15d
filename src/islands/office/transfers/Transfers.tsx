import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Difference, Transfer } from '../../../contract/office-transfers.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { PAYMENT_STATES } from '../../../rules/payment-states.ts'
import {
  $differences,
  askAgain,
  bookDifference,
  closeDifference,
  decideTransfer,
  loadDifferences,
  transferTable,
} from '../../../stores/office/transfers.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { shownReference } from '../../../stores/shared/references.ts'
import { useLocale } from '../../parts/island.tsx'
import { ErrorAlert } from '../../parts/Message.tsx'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { ConfirmMoney } from '../parts/ConfirmDialog.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { Moment, PAYMENT_MARKS, PersonCell, Reference, StateMark } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { MailNote } from '../parts/MailNote.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import { adminTexts } from '../parts/office-texts.ts'
import { type Column, moneyColumn, ShortTable } from '../parts/ShortTable.tsx'
import { useAttempt, useProblemText } from '../parts/use-attempt.tsx'

const { island, useTexts } = adminTexts(
  'office-money:transfers',
  'office-money:differences',
  'office-money:common',
  'office-acts:waits',
  'office:table',
  'office:confirm',
  'office-notices:folder',
)

function Transfers() {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:transfers')
  const common = useTexts('office-money:common')
  const waits = useTexts('office-acts:waits')
  const [open, setOpen] = useState<{ transfer: Transfer; decision: Decision } | null>(null)
  const [done, setDone] = useDone()

  const columns: readonly Column<Transfer>[] = [
    { head: heads.payer, cell: ({ payer }) => <PersonCell person={payer} /> },
    moneyColumn(heads.amount, ({ amount }) => amount),
    {
      head: heads.reference,
      cell: ({ paymentRef }) => <Reference>{shownReference(paymentRef)}</Reference>,
    },
    {
      head: heads.purpose,
      cell: ({ orderId, method }) =>
        `${orderId === null ? common.topUp : fillText(common.order, { number: orderId })} · ${common.methods[method]}`,
    },
    { head: heads.since, cell: ({ createdAt }) => <Moment at={createdAt} withTime /> },
    {
      head: heads.state,
      isWide: true,
      cell: ({ state, waits }) => (
        <StateMark
          kind={PAYMENT_MARKS[state]}
          text={waits === null ? common.payments[state] : texts.waitsForSecond}
        />
      ),
    },
    {
      head: heads.actions,
      isActions: true,
      cell: (transfer) => (
        <Actions transfer={transfer} onChoose={(decision) => setOpen({ transfer, decision })} />
      ),
    },
  ]
  return (
    <>
      <Done text={done} />
      <MailNote />
      <Differences next={texts.label} onDone={setDone} />
      <OfficeTable
        table={transferTable}
        label={texts.label}
        columns={columns}
        rowKey={({ paymentRef }) => paymentRef}
        counts={texts.counts}
        empty={texts.empty}
        search={texts.search}
        filters={[
          {
            name: 'state',
            label: texts.state,
            none: texts.waiting,
            options: PAYMENT_STATES.filter((state) => state !== 'pending').map((state) => ({
              value: state,
              text: common.payments[state],
            })),
          },
        ]}
      />
      {open && (
        <DecideTransfer
          {...open}
          onDone={(isWaiting) => {
            if (isWaiting) return setDone(waits.text)
            const { amount, payer } = open.transfer
            const values = { amount: priceText(locale, amount), name: `\u2068${payer.name}\u2069` }
            setDone(fillText(texts[open.decision].done, values))
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

interface ActionsProps {
  transfer: Transfer
  onChoose: (decision: Decision) => void
}

function Actions({ transfer: { state, waits }, onChoose }: ActionsProps) {
  const { confirm, refuse } = useTexts('office-money:transfers')
  const { see } = useTexts('office-acts:waits')
  if (state === 'paid') return null
  return (
    <span className="cluster">
      {waits === null ? (
        <Button
          kind={state === 'pending' ? 'primary' : undefined}
          onClick={() => onChoose('confirm')}
        >
          {confirm.open}
        </Button>
      ) : (
        <ButtonLink to="/office/acts">{see}</ButtonLink>
      )}
      {state === 'pending' && <Button onClick={() => onChoose('refuse')}>{refuse.open}</Button>}
    </span>
  )
}

type Decision = 'confirm' | 'refuse'

interface DecideTransferProps {
  transfer: Transfer
  decision: Decision
  onDone: (isWaiting: boolean) => void
  onClose: () => void
}

function DecideTransfer({ transfer, decision, onDone, onClose }: DecideTransferProps) {
  const locale = useLocale()
  const { confirm, refuse, columns } = useTexts('office-money:transfers')
  const common = useTexts('office-money:common')
  const [key] = useState(randomId)
  const { amount, orderId, payer, paymentRef, state, needsSecond } = transfer
  const values = {
    amount: priceText(locale, amount),
    name: `\u2068${payer.name}\u2069`,
    order: fillText(common.order, { number: orderId ?? 0 }),
  }
  const sentence = () => {
    if (decision === 'refuse') return refuse.text
    const next = needsSecond
      ? confirm.second
      : fillText(orderId === null ? confirm.topUp : confirm.order, values)
    return state === 'pending' ? next : `${confirm.late} ${next}`
  }
  const dialog = {
    amount,
    label: columns.payer,
    to: (
      <>
        <bdi>{payer.name}</bdi> · <Reference>{shownReference(paymentRef)}</Reference>
      </>
    ),
    text: sentence(),
    onClose,
  }
  const decide = async (reason: string) =>
    onDone(await decideTransfer(transfer, { decision, reason }, key))
  return decision === 'confirm' ? (
    <ConfirmWithReason
      {...dialog}
      title={confirm.title}
      submit={fillText(needsSecond ? confirm.ask : confirm.submit, values)}
      onConfirm={decide}
    />
  ) : (
    <ConfirmMoney
      {...dialog}
      title={refuse.title}
      submit={fillText(refuse.submit, values)}
      isDanger
      onConfirm={() => decide('')}
    />
  )
}

type Settlement = 'book' | 'close'

interface DifferencesProps {
  /** The heading of the next section, shown only if there are differences. */
  next: string
  onDone: (text: string) => void
}

function Differences({ next, onDone }: DifferencesProps) {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:differences')
  const problemText = useProblemText()
  const found = useStore($differences, { ssr: notLoaded })
  const [open, setOpen] = useState<{ difference: Difference; way: Settlement } | null>(null)
  const { alert, attempt, isBusy, problem } = useAttempt()
  useEffect(() => void loadDifferences(), [])

  const gatewayText = (state: Difference['reportedState'], amount: number) =>
    fillText(texts.says[state], { amount: priceText(locale, amount) })
  const queryGateway = (difference: Difference) =>
    attempt(async () => {
      const { gateway } = await askAgain(difference)
      onDone(fillText(texts.reported, { says: gatewayText(gateway.state, gateway.amount) }))
    })
  const columns: readonly Column<Difference>[] = [
    { head: heads.payer, cell: ({ payer }) => <PersonCell person={payer} /> },
    moneyColumn(heads.expected, ({ expected }) => expected),
    {
      head: heads.reported,
      cell: ({ kind, reported, reportedState }) => (
        <StateMark
          kind="bad"
          text={kind === 'reference' ? texts.says.elsewhere : gatewayText(reportedState, reported)}
        />
      ),
    },
    {
      head: heads.reference,
      cell: ({ paymentRef }) => <Reference>{shownReference(paymentRef)}</Reference>,
    },
    { head: heads.since, cell: ({ notedAt }) => <Moment at={notedAt} withTime /> },
    {
      head: heads.actions,
      isActions: true,
      cell: (difference) => (
        <span className="cluster">
          <Button isBusy={isBusy} onClick={() => queryGateway(difference)}>
            {texts.ask}
          </Button>
          {difference.kind === 'amount' && difference.state !== 'paid' && (
            <Button onClick={() => setOpen({ difference, way: 'book' })}>{texts.book.open}</Button>
          )}
          <Button onClick={() => setOpen({ difference, way: 'close' })}>{texts.close.open}</Button>
        </span>
      ),
    },
  ]
  if (found.phase === 'failed') return <ErrorAlert text={problemText(found.problem)} />
  if (found.phase !== 'ready' || (found.value.content.length === 0 && !problem)) return null
  return (
    <>
      <section className="stack">
        <h2>{texts.heading}</h2>
        <p className="soft">{texts.text}</p>
        {alert}
        <ShortTable
          label={texts.label}
          columns={columns}
          rows={found.value.content}
          rowKey={({ id }) => id}
        />
        {open && (
          <SettleDifference
            {...open}
            onDone={() => onDone(texts[open.way].done)}
            onClose={() => setOpen(null)}
          />
        )}
      </section>
      <h2>{next}</h2>
    </>
  )
}

interface SettleDifferenceProps {
  difference: Difference
  way: 'book' | 'close'
  onDone: () => void
  onClose: () => void
}

function SettleDifference({ difference, way, onDone, onClose }: SettleDifferenceProps) {
  const locale = useLocale()
  const { book, close } = useTexts('office-money:differences')
  const [key] = useState(randomId)
  const { payer, reported } = difference
  const to = fillText(book.to, { name: `\u2068${payer.name}\u2069` })
  const commonProps = { amount: reported, to, onClose }
  if (way === 'close') {
    return (
      <ConfirmWithReason
        {...commonProps}
        title={close.title}
        text={close.text}
        submit={close.open}
        onConfirm={async (reason) => {
          await closeDifference(difference, reason)
          onDone()
        }}
      />
    )
  }
  return (
    <ConfirmMoney
      {...commonProps}
      title={book.title}
      text={book.text}
      submit={fillText(book.submit, { amount: priceText(locale, reported) })}
      onConfirm={async () => {
        await bookDifference(difference, key)
        onDone()
      }}
    />
  )
}

export default island(Transfers)
