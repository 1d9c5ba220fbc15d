import './adjust-form.css'
import { type SubmitEvent, useState } from 'react'
import type { Person } from '../../../contract/office-transfers.ts'
import { fillText, limitText, priceText } from '../../../i18n/format.ts'
import { ADJUSTMENT_ALONE_MAX, ADJUSTMENT_MAX, needsSecond } from '../../../rules/ledger.ts'
import type { Millimes } from '../../../rules/money.ts'
import { type AmountMistake, readAmount } from '../../../stores/office/amount.ts'
import { adjustWallet } from '../../../stores/office/wallets.ts'
import { randomId } from '../../../stores/shared/random-id.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale } from '../../parts/island.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { SelectField } from '../parts/fields.tsx'
import { useTexts } from './texts.ts'

interface Props {
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

/** The form that adds money to a wallet or takes money from it, for a reason. */
export function AdjustForm({ customer, left, onDone }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-money:adjust')
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
      <p className="soft">
        {fillText(texts.text, { limit: limitText(locale, ADJUSTMENT_ALONE_MAX) })}
      </p>
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
        <button type="submit" className="button">
          {texts.next}
        </button>
      </form>
      {pendingAdjustment && (
        <ConfirmWithReason
          title={texts.title}
          amount={pendingAdjustment.amount}
          to={fillText(texts.to, { name: `\u2068${customer.name}\u2069` })}
          {...(needsSecond(pendingAdjustment.amount, left) && {
            text: fillText(texts.second, { left: priceText(locale, left) }),
          })}
          submit={fillText(pendingAdjustment.amount > 0 ? texts.submitGive : texts.submitTake, {
            amount: size,
          })}
          onConfirm={async (reason) => {
            const { amount, key } = pendingAdjustment
            const { state } = await adjustWallet({ userId: customer.id, amount, reason }, key)
            setSentCount(sentCount + 1)
            onDone(state === 'made' ? texts.made : texts.proposed)
          }}
          onClose={() => setPendingAdjustment(null)}
        />
      )}
    </section>
  )
}
