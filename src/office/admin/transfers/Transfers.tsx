import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Difference, Transfer } from '../../../contract/office-transfers.ts'
import * as transfers from '../../../contract/office-transfers.ts'
import { fillText, isolate, priceText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
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
import { actsColumn, type Column, moneyColumn, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useAction, useProblemText } from '../../kit/use-action.tsx'
import { useOutcome } from '../acts/outcome.ts'
import { MailNote } from '../notices/MailNote.tsx'
import { Receipts } from './Receipts.tsx'

/** Bank transfers and D17 payments: pending ones, oldest first, or those in another state. */
const transferTable = tableOf(transfers.listTransfers, {
  choices: { state: PAYMENT_STATES },
})

/** The first page of payments on which the gateway and the shop disagree, oldest first. */
const differences = resource(transfers.listDifferences, () => ({ query: {} }))

/** Waits for a change, then reloads the lists on the page, even if it failed. */
const andRefresh = <T,>(change: Promise<T>) =>
  transferTable.after(change.finally(differences.refresh))

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
  const { see } = useTexts('office-acts:waits')
  const { ask, dialog, message, say } = useQuestions()
  const questionAbout = useQuestionAbout()
  const [photosOf, showPhotosOf] = useState<Transfer | null>(null)

  const decisionsOf = ({ state, waits }: Transfer): readonly Decision[] =>
    state === 'pending' && waits === null ? ['confirm', 'refuse'] : []

  const columns: readonly Column<Transfer>[] = [
    { head: heads.payer, cell: ({ payer }) => <PersonCell person={payer} /> },
    moneyColumn(heads.amount, ({ amount }) => amount),
    {
      head: heads.reference,
      cell: (transfer) => (
        <span className="stack items-start gap-0">
          <Reference>{shownReference(transfer.paymentRef)}</Reference>
          {transfer.photos > 0 && (
            <Button look="link" onClick={() => showPhotosOf(transfer)}>
              {fillText(texts.photos.open, { count: transfer.photos })}
            </Button>
          )}
        </span>
      ),
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
    actsColumn(heads.actions, (transfer) => {
      const { state, waits } = transfer
      const isPending = state === 'pending'
      const buttonOf = (decision: Decision) => ({
        text: texts[decision].open,
        act: () => ask(questionAbout(transfer, decision)),
      })
      return [
        state !== 'paid' &&
          (waits === null
            ? { kind: isPending ? 'primary' : undefined, ...buttonOf('confirm') }
            : { text: see, act: '/office/acts' }),
        isPending && buttonOf('refuse'),
      ]
    }),
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
      {photosOf && (
        <Receipts
          transfer={photosOf}
          onClose={() => showPhotosOf(null)}
          foot={decisionsOf(photosOf).map((decision) => (
            <Button
              key={decision}
              kind={decision === 'confirm' ? 'primary' : undefined}
              onClick={() => {
                showPhotosOf(null)
                ask(questionAbout(photosOf, decision))
              }}
            >
              {texts[decision].open}
            </Button>
          ))}
        />
      )}
      {dialog}
    </>
  )
}

type Decision = 'confirm' | 'refuse'

/** Returns a function for the question before a decision about a transfer. */
function useQuestionAbout() {
  const locale = useLocale()
  const { confirm, refuse, columns } = useTexts('office-money:transfers')
  const common = useTexts('office-money:common')
  const outcome = useOutcome()
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
        const [params, seen, once] = [{ paymentRef }, state, { idempotencyKey: key }]
        const decided = isConfirmed
          ? call(transfers.confirmTransfer, { params, body: { seen, ...given } }, once)
          : call(transfers.refuseTransfer, { params, body: { seen } }, once)
        return outcome(await transferTable.after(decided), fillText(texts.done, values))
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
  const found = useStore(differences.$state, { ssr: notLoaded })
  const { ask, dialog } = useQuestions(onDone)
  const reason = useReason()
  const { alert, attempt, isBusy, problem } = useAction()
  useEffect(() => void differences.load(), [])

  const gatewayText = (state: Difference['reportedState'], amount: number) =>
    fillText(texts.says[state], { amount: priceText(locale, amount) })
  const queryGateway = ({ paymentRef }: Difference) =>
    attempt(async () => {
      const { gateway } = await andRefresh(
        call(transfers.askAboutPayment, { params: { paymentRef } }),
      )
      onDone(fillText(texts.reported, { says: gatewayText(gateway.state, gateway.amount) }))
    })
  const book = (difference: Difference) =>
    ask({
      title: texts.book.title,
      submit: fillText(texts.book.submit, { amount: priceText(locale, difference.reported) }),
      money: moneyOf(difference),
      text: texts.book.text,
      send: async (_, key) => {
        const params = { id: difference.id }
        await andRefresh(call(transfers.bookDifference, { params }, { idempotencyKey: key }))
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
      send: async (body) => {
        await andRefresh(call(transfers.closeDifference, { params: { id: difference.id }, body }))
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
    actsColumn(heads.actions, (difference) => [
      { text: texts.ask, isBusy, act: () => queryGateway(difference) },
      difference.kind === 'amount' &&
        difference.state !== 'paid' && { text: texts.book.open, act: () => book(difference) },
      { text: texts.close.open, act: () => close(difference) },
    ]),
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
