import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Difference, Transfer } from '../../../contract/office-transfers.ts'
import * as transfers from '../../../contract/office-transfers.ts'
import { fillText, isolate, priceText } from '../../../i18n/format.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ErrorAlert } from '../../../islands/parts/Message.tsx'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { PAYMENT_STATES } from '../../../rules/payment-states.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { shownReference } from '../../../stores/shared/references.ts'
import { ask as call } from '../../kit/backend.ts'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { resource } from '../../kit/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment, PAYMENT_MARKS, PersonCell, Reference, StateMark } from '../../kit/tables/cells.tsx'
import { OfficeTable, stateFilter } from '../../kit/tables/OfficeTable.tsx'
import { type Column, moneyColumn, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useAction, useProblemText } from '../../kit/use-action.tsx'
import { MailNote } from '../notices/MailNote.tsx'

/** Bank transfers and D17 payments: pending ones, oldest first, or those in another state. */
const transferTable = tableOf(transfers.listTransfers, {
  choices: { state: PAYMENT_STATES },
})

/**
 * Decides about a transfer as it was shown, once for each `key`; whether that waits for a second
 * person. `reason` is for a confirmation. Throws an `ApiError`.
 */
async function decideTransfer(
  { paymentRef, state: seen }: Transfer,
  { decision, reason }: { decision: 'confirm' | 'refuse'; reason: string },
  key: string,
): Promise<boolean> {
  const params = { paymentRef }
  const once = { idempotencyKey: key }
  try {
    const { waits } =
      decision === 'confirm'
        ? await call(transfers.confirmTransfer, { params, body: { seen, reason } }, once)
        : await call(transfers.refuseTransfer, { params, body: { seen } }, once)
    return waits !== null
  } finally {
    transferTable.refresh()
  }
}

const differences = resource(transfers.listDifferences, () => ({ query: {} }))
/** The first page of payments on which the gateway and the shop disagree, oldest first. */
const { $state: $differences, load: loadDifferences } = differences

/** Waits for `work`, then reloads the lists on the page, even if it failed. */
async function andRefresh<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    await differences.refresh()
    transferTable.refresh()
  }
}

const askAgain = ({ paymentRef }: Difference) =>
  andRefresh(call(transfers.askAboutPayment, { params: { paymentRef } }))

/** Books the amount that arrived; the same `key` books it only once. Throws an `ApiError`. */
const bookDifference = ({ id }: Difference, key: string) =>
  andRefresh(call(transfers.bookDifference, { params: { id } }, { idempotencyKey: key }))

const closeDifference = ({ id }: Difference, reason: string) =>
  andRefresh(call(transfers.closeDifference, { params: { id }, body: { reason } }))

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
  const { columns: heads, ...texts } = useTexts('office-money:transfers')
  const common = useTexts('office-money:common')
  const { message, say } = useAction()
  const { ask, dialog } = useQuestions(say)
  const questionAbout = useQuestionAbout()

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
        <Actions
          transfer={transfer}
          onChoose={(decision) => ask(questionAbout(transfer, decision))}
        />
      ),
    },
  ]
  return (
    <>
      {message}
      <MailNote />
      <Differences next={texts.label} onDone={say} />
      <OfficeTable
        table={transferTable}
        columns={columns}
        rowKey={({ paymentRef }) => paymentRef}
        texts={texts}
        filters={[stateFilter(PAYMENT_STATES, 'pending', { ...texts, states: common.payments })]}
      />
      {dialog}
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

/** Returns a function for the question before a decision about a transfer. */
function useQuestionAbout() {
  const locale = useLocale()
  const { confirm, refuse, columns } = useTexts('office-money:transfers')
  const common = useTexts('office-money:common')
  const waitsTexts = useTexts('office-acts:waits')
  const reason = useReason()
  return (transfer: Transfer, decision: Decision) => {
    const { amount, orderId, payer, paymentRef, state, needsSecond } = transfer
    const isConfirmed = decision === 'confirm'
    const texts = isConfirmed ? confirm : refuse
    const values = {
      amount: priceText(locale, amount),
      name: isolate(payer.name),
      order: fillText(common.order, { number: orderId ?? 0 }),
    }
    const sentence = () => {
      if (!isConfirmed) return refuse.text
      const next = needsSecond
        ? confirm.second
        : fillText(orderId === null ? confirm.topUp : confirm.order, values)
      return state === 'pending' ? next : `${confirm.late} ${next}`
    }
    return {
      title: texts.title,
      submit: fillText(isConfirmed && needsSecond ? confirm.ask : texts.submit, values),
      isDanger: !isConfirmed,
      money: {
        amount,
        label: columns.payer,
        to: (
          <>
            <bdi>{payer.name}</bdi> · <Reference>{shownReference(paymentRef)}</Reference>
          </>
        ),
      },
      text: sentence(),
      fields: isConfirmed ? [reason(STAFF_REASON_MAX_LENGTH)] : [],
      send: async (given: { reason: string }, key: string) => {
        const isWaiting = await decideTransfer(transfer, { decision, ...given }, key)
        return isWaiting ? waitsTexts.text : fillText(texts.done, values)
      },
    }
  }
}

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
  const { ask, dialog } = useQuestions(onDone)
  const reason = useReason()
  const { alert, attempt, isBusy, problem } = useAction()
  useEffect(() => void loadDifferences(), [])

  const gatewayText = (state: Difference['reportedState'], amount: number) =>
    fillText(texts.says[state], { amount: priceText(locale, amount) })
  const queryGateway = (difference: Difference) =>
    attempt(async () => {
      const { gateway } = await askAgain(difference)
      onDone(fillText(texts.reported, { says: gatewayText(gateway.state, gateway.amount) }))
    })
  const book = (difference: Difference) =>
    ask({
      title: texts.book.title,
      submit: fillText(texts.book.submit, { amount: priceText(locale, difference.reported) }),
      money: moneyOf(difference),
      text: texts.book.text,
      send: async (_, key) => {
        await bookDifference(difference, key)
        return texts.book.done
      },
    })
  const close = (difference: Difference) =>
    ask({
      title: texts.close.title,
      submit: texts.close.open,
      money: moneyOf(difference),
      text: texts.close.text,
      fields: [reason(STAFF_REASON_MAX_LENGTH)],
      send: async (given) => {
        await closeDifference(difference, given.reason)
        return texts.close.done
      },
    })
  const moneyOf = ({ reported, payer }: Difference) => ({
    amount: reported,
    to: fillText(texts.book.to, { name: isolate(payer.name) }),
  })
  const columns: readonly Column<Difference>[] = [
    { head: heads.payer, cell: ({ payer }) => <PersonCell person={payer} /> },
    moneyColumn(heads.expected, ({ expected }) => expected),
    {
      head: heads.reported,
      isWide: true,
      cell: ({ kind, reported, reportedState }) => (
        <StateMark
          kind="bad"
          text={kind === 'reference' ? texts.says.elsewhere : gatewayText(reportedState, reported)}
        />
      ),
    },
    {
      head: heads.reference,
      cell: ({ paymentRef, notedAt }) => (
        <>
          <Reference>{shownReference(paymentRef)}</Reference> <Moment at={notedAt} withTime />
        </>
      ),
    },
    {
      head: heads.actions,
      isActions: true,
      cell: (difference) => (
        <span className="cluster">
          <Button isBusy={isBusy} onClick={() => queryGateway(difference)}>
            {texts.ask}
          </Button>
          {difference.kind === 'amount' && difference.state !== 'paid' && (
            <Button onClick={() => book(difference)}>{texts.book.open}</Button>
          )}
          <Button onClick={() => close(difference)}>{texts.close.open}</Button>
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
        <ShortTable label={texts.label} columns={columns} rows={found.value.content} />
        {dialog}
      </section>
      <h2>{next}</h2>
    </>
  )
}

export default island(Transfers)
