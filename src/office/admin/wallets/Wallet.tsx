import './adjust-form.css'
import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { type SubmitEvent, useEffect } from 'react'
import type { Act } from '../../../contract/office-acts.ts'
import type { Contact } from '../../../contract/office-transfers.ts'
import type { WalletMovement } from '../../../contract/office-wallets.ts'
import * as wallets from '../../../contract/office-wallets.ts'
import { fillText, isolate, priceText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ADJUSTMENT_MAX, STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import type { Millimes } from '../../../rules/money.ts'
import { ask as call } from '../../kit/backend.ts'
import { readAmount } from '../../kit/forms/amount.ts'
import { NUMBER, useFieldTable } from '../../kit/forms/field-table.tsx'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { idInAddress, ofAddress } from '../../kit/loader.ts'
import { adminTexts, useActorName } from '../../kit/office-texts.ts'
import { Facts, Moment, Money, PersonCell, Words } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { type Column, moneyColumn, TableSection } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useAction } from '../../kit/use-action.tsx'
import { waitingFor } from '../acts/acts.ts'
import { useActColumns } from '../acts/columns.tsx'
import { useOutcome } from '../acts/outcome.ts'

const walletTable = tableOf(wallets.getCustomerWallet, {
  input: ofAddress('user_not_found'),
})

const $waitingHere = atom<readonly Act[]>([])

/** Loads what waits for a second person about the customer of this page; a failure shows nothing. */
async function loadWaitingHere(): Promise<void> {
  const userId = idInAddress()
  if (userId !== null) $waitingHere.set(await waitingFor(userId))
}

function refreshWallet(): void {
  walletTable.refresh()
  void loadWaitingHere()
}

const { island, useTexts } = adminTexts(
  'office-money:wallet',
  'office-money:adjust',
  'office-acts:page',
  'office-acts:kinds',
  'office-acts:bounds',
  'office-acts:waits',
  'office-money:common',
  'office-money:order',
  'office:table',
  'office:confirm',
)

const NONE: [] = []
const none = () => NONE

function Wallet() {
  const texts = useTexts('office-money:wallet')
  const acts = useTexts('office-acts:page')
  const { page } = useStore(walletTable.$state)
  const waiting = useStore($waitingHere, { ssr: none })
  const { message, say } = useAction()
  const { columns, dialog } = useActColumns({ onDone: say, refresh: refreshWallet })
  useEffect(() => void loadWaitingHere(), [])
  return (
    <>
      {message}
      {page && (
        <Facts
          facts={[
            [texts.title, <PersonCell key="customer" person={page.customer} />],
            [texts.balance, <Money key="balance" amount={page.balance} />],
          ]}
        />
      )}
      <TableSection label={acts.title} columns={columns} rows={waiting} />
      {page && <AdjustForm customer={page.customer} left={page.leftAlone} onDone={say} />}
      <Movements />
      {dialog}
    </>
  )
}

interface AdjustFormProps {
  customer: Contact
  /** What the reader may still adjust without a second administrator. */
  left: Millimes
  onDone: (text: string) => void
}

/** The smallest adjustment: wallets move no smaller amounts. */
const LEAST: Millimes = 10

function AdjustForm({ customer, left, onDone }: AdjustFormProps) {
  const locale = useLocale()
  const texts = useTexts('office-money:adjust')
  const outcome = useOutcome()
  const { mistakes } = useTexts('office-money:common')
  const { ask, dialog } = useQuestions(onDone)
  const reason = useReason()
  const amountIn = (text: string) => readAmount(text, { least: LEAST, most: ADJUSTMENT_MAX })
  const table = useFieldTable([
    {
      name: 'way',
      label: texts.way,
      options: [
        { value: 'give', text: texts.give },
        { value: 'take', text: texts.take },
      ],
    },
    {
      ...NUMBER,
      name: 'amount',
      label: texts.amount,
      check: (text) => {
        const amount = amountIn(text)
        return typeof amount !== 'number' && mistakes[amount === 'thirdDecimal' ? amount : 'amount']
      },
    },
  ])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const size = amountIn(table.values.amount)
    if (!table.check() || typeof size !== 'number') return
    const isGiven = table.values.way === 'give'
    const amount = isGiven ? size : -size
    ask({
      title: texts.title,
      submit: fillText(isGiven ? texts.submitGive : texts.submitTake, {
        amount: priceText(locale, size),
      }),
      money: { amount, to: fillText(texts.to, { name: isolate(customer.name) }) },
      text: size > left ? fillText(texts.second, { left: priceText(locale, left) }) : undefined,
      fields: [reason(STAFF_REASON_MAX_LENGTH)],
      send: async (given, key) => {
        const body = { userId: customer.id, amount, ...given }
        const adjusted = await call(wallets.adjustWallet, { body }, { idempotencyKey: key })
        refreshWallet()
        // No amount is sent twice by mistake.
        table.clear()
        return outcome(adjusted, texts.made)
      },
    })
  }
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <p className="soft">{texts.text}</p>
      <p>{left > 0 ? fillText(texts.left, { left: priceText(locale, left) }) : texts.none}</p>
      <form
        className="adjust-form cluster items-start gap-3"
        method="post"
        noValidate
        onSubmit={submit}
      >
        {table.view}
        <Button type="submit">{texts.next}</Button>
      </form>
      {dialog}
    </section>
  )
}

function Movements() {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:wallet')
  const { kinds } = useTexts('office-money:order')
  const common = useTexts('office-money:common')
  const actorName = useActorName()
  const columns: readonly Column<WalletMovement>[] = [
    { head: heads.what, cell: ({ kind }) => kinds[kind] },
    { head: heads.date, cell: ({ createdAt }) => <Moment at={createdAt} withTime /> },
    moneyColumn(heads.amount, ({ amount }) => amount),
    moneyColumn(heads.after, ({ balanceAfter }) => balanceAfter),
    {
      head: heads.why,
      cell: ({ orderId, note, by }) => (
        <span className="stack items-start gap-0">
          {orderId !== null && (
            <a href={`${pathIn(locale, '/office/order')}?id=${orderId}`}>
              {fillText(common.order, { number: orderId })}
            </a>
          )}
          {note && <Words>{note}</Words>}
          {by && (
            <bdi className="person-cell__reach small soft" dir="auto">
              {actorName(by)}
            </bdi>
          )}
        </span>
      ),
    },
  ]
  return (
    <section className="stack">
      <h2>{texts.movements}</h2>
      <OfficeTable table={walletTable} columns={columns} texts={texts} />
    </section>
  )
}

export default island(Wallet)
