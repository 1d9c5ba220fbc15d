import './adjust-form.css'
import { type SubmitEvent, useState } from 'react'
import type { Person } from '../../../contract/office-transfers.ts'
import { fillText, limitText, priceText } from '../../../i18n/format.ts'
import { ADJUSTMENT_ALONE_MAX, ADJUSTMENT_MAX, needsSecond } from '../../../rules/adjustments.ts'
import type { Millimes } from '../../../rules/money.ts'
import { readAmount } from '../../../stores/office/amount.ts'
import { adjustWallet } from '../../../stores/office/wallets.ts'
import { randomId } from '../../../stores/shared/random-id.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale } from '../../parts/island.tsx'
import { ConfirmWithReason } from '../parts/ConfirmWithReason.tsx'
import { SelectField } from '../parts/fields.tsx'
import { useTexts } from './texts.ts'

interface Props {
  customer: Person
  onDone: (text: string) => void
}

/** Below the least amount that a wallet can move there is none. */
const LEAST: Millimes = 10

/** A change that is about to be made: its key makes sure that it is made once. */
interface Asked {
  amount: Millimes
  key: string
}

/** Gives a wallet money or takes it, for a reason. */
export function AdjustForm({ customer, onDone }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-money:adjust')
  const { mistakes } = useTexts('office-money:common')
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isWrong, setWrong] = useState(false)
  // A sent form is empty again, so that nobody sends the same amount twice.
  const [sent, setSent] = useState(0)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const read = readAmount(String(data.get('amount')), { least: LEAST, most: ADJUSTMENT_MAX })
    setWrong(typeof read !== 'number')
    if (typeof read !== 'number') return form.querySelector('input')?.focus()
    setAsked({ amount: data.get('way') === 'take' ? -read : read, key: randomId() })
  }
  const size = priceText(locale, Math.abs(asked?.amount ?? 0))
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <p className="soft">
        {fillText(texts.text, { limit: limitText(locale, ADJUSTMENT_ALONE_MAX) })}
      </p>
      <form key={sent} className="adjust-form" method="post" noValidate onSubmit={submit}>
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
          error={isWrong ? mistakes.amount : undefined}
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
        />
        <button type="submit" className="button">
          {texts.next}
        </button>
      </form>
      {asked && (
        <ConfirmWithReason
          title={texts.title}
          amount={asked.amount}
          to={fillText(texts.to, { name: `\u2068${customer.name}\u2069` })}
          {...(needsSecond(asked.amount, 0) && { text: texts.second })}
          submit={fillText(asked.amount > 0 ? texts.submitGive : texts.submitTake, {
            amount: size,
          })}
          onConfirm={async (reason) => {
            const { amount, key } = asked
            const { state } = await adjustWallet({ userId: customer.id, amount, reason }, key)
            setSent(sent + 1)
            onDone(state === 'made' ? texts.made : texts.proposed)
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  )
}
