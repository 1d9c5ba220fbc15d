import './adjust-form.css'
import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { Person } from '../../../contract/office-transfers.ts'
import type { WalletMovement } from '../../../contract/office-wallets.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { ADJUSTMENT_MAX } from '../../../rules/ledger.ts'
import type { Millimes } from '../../../rules/money.ts'
import { type AmountMistake, readAmount } from '../../../stores/office/amount.ts'
import {
  $waitingHere,
  adjustWallet,
  loadWaitingHere,
  refreshWallet,
  walletTable,
} from '../../../stores/office/wallets.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale } from '../../parts/island.tsx'
import { useActColumns } from '../acts/columns.tsx'
import { Button } from '../parts/Button.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { Facts, Moment, Money, PersonCell, Words } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { SelectField } from '../parts/fields.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import { adminTexts, useActorName } from '../parts/office-texts.ts'
import { type Column, moneyColumn, ShortTable } from '../parts/ShortTable.tsx'

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
  const [done, setDone] = useDone()
  const { columns, dialog } = useActColumns({ onDone: setDone, refresh: refreshWallet })
  useEffect(() => void loadWaitingHere(), [])
  return (
    <>
      <Done text={done} />
      {page && (
        <Facts
          facts={[
            [texts.title, <PersonCell key="customer" person={page.customer} />],
            [texts.balance, <Money key="balance" amount={page.balance} />],
          ]}
        />
      )}
      {waiting.length > 0 && (
        <section className="stack">
          <h2>{acts.title}</h2>
          <ShortTable label={acts.title} columns={columns} rows={waiting} rowKey={({ id }) => id} />
        </section>
      )}
      {page && <AdjustForm customer={page.customer} left={page.leftAlone} onDone={setDone} />}
      <Movements />
      {dialog}
    </>
  )
}

interface AdjustFormProps {
  customer: Person
  /** What the reader may still adjust without a second administrator. */
  left: Millimes
  onDone: (text: string) => void
}

/** The smallest adjustment: wallets move no smaller amounts. */
const LEAST: Millimes = 10

/** An adjustment that awaits confirmation; `key` prevents a double adjustment. */
interface PendingAdjustment {
  amount: Millimes
  key: string
}

function AdjustForm({ customer, left, onDone }: AdjustFormProps) {
  const locale = useLocale()
  const texts = useTexts('office-money:adjust')
  const waits = useTexts('office-acts:waits')
  const { mistakes } = useTexts('office-money:common')
  const [pendingAdjustment, setPendingAdjustment] = useState<PendingAdjustment | null>(null)
  const [mistake, setMistake] = useState<AmountMistake | null>(null)
  // The key empties the form after each adjustment, so that no amount is sent twice by mistake.
  const [sentCount, setSentCount] = useState(0)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const enteredAmount = readAmount(String(data.get('amount')), {
      least: LEAST,
      most: ADJUSTMENT_MAX,
    })
    setMistake(typeof enteredAmount === 'number' ? null : enteredAmount)
    if (typeof enteredAmount !== 'number') return form.querySelector('input')?.focus()
    setPendingAdjustment({
      amount: data.get('way') === 'take' ? -enteredAmount : enteredAmount,
      key: randomId(),
    })
  }
  const size = priceText(locale, Math.abs(pendingAdjustment?.amount ?? 0))
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <p className="soft">{texts.text}</p>
      <p>{left > 0 ? fillText(texts.left, { left: priceText(locale, left) }) : texts.none}</p>
      <form key={sentCount} className="adjust-form" method="post" noValidate onSubmit={submit}>
        <SelectField
          name="way"
          label={texts.way}
          options={[
            { value: 'give', text: texts.give },
            { value: 'take', text: texts.take },
          ]}
        />
        <Field
          name="amount"
          label={texts.amount}
          error={mistake ? mistakes[mistake === 'thirdDecimal' ? mistake : 'amount'] : undefined}
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
        />
        <Button type="submit">{texts.next}</Button>
      </form>
      {pendingAdjustment && (
        <ConfirmWithReason
          title={texts.title}
          amount={pendingAdjustment.amount}
          to={fillText(texts.to, { name: `\u2068${customer.name}\u2069` })}
          {...(Math.abs(pendingAdjustment.amount) > left && {
            text: fillText(texts.second, { left: priceText(locale, left) }),
          })}
          submit={fillText(pendingAdjustment.amount > 0 ? texts.submitGive : texts.submitTake, {
            amount: size,
          })}
          onConfirm={async (reason) => {
            const { amount, key } = pendingAdjustment
            const isWaiting = await adjustWallet({ userId: customer.id, amount, reason }, key)
            setSentCount(sentCount + 1)
            onDone(isWaiting ? waits.text : texts.made)
          }}
          onClose={() => setPendingAdjustment(null)}
        />
      )}
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
        <span className="person-cell">
          {orderId !== null && (
            <a href={`${pathIn(locale, '/office/order')}?id=${orderId}`}>
              {fillText(common.order, { number: orderId })}
            </a>
          )}
          {note && <Words>{note}</Words>}
          {by && (
            <bdi className="person-cell__reach soft" dir="auto">
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
      <OfficeTable
        table={walletTable}
        label={texts.label}
        columns={columns}
        rowKey={({ id }) => id}
        counts={texts.counts}
        empty={{ text: texts.empty }}
      />
    </section>
  )
}

export default island(Wallet)
