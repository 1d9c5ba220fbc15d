import './payouts.css'
import { type SubmitEvent, useRef, useState } from 'react'
import type { EarningsSummary } from '../../../contract/earnings.ts'
import type { BankAccount } from '../../../contract/payouts.ts'
import { fillText, limitText, priceParts, priceText } from '../../../i18n/format.ts'
import type { Millimes } from '../../../rules/money.ts'
import { readableRib } from '../../../rules/rib.ts'
import { type AmountMistake, readAmount } from '../../../stores/office/amount.ts'
import { askForPayout } from '../../../stores/office/payouts.ts'
import { randomId } from '../../../stores/shared/random-id.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale } from '../../parts/island.tsx'
import { ConfirmMoney } from '../parts/ConfirmDialog.tsx'
import { Money } from '../parts/cells.tsx'
import { useTexts } from './texts.ts'

interface Props {
  earnings: EarningsSummary
  /** null if the teacher has none; undefined while it is loading. */
  account: BankAccount | null | undefined
  onDone: () => void
}

/** The available amount and the request form, or the reason why no request is possible now. */
export function AskForPayout({ earnings, account, onDone }: Props) {
  const locale = useLocale()
  const { ask: texts } = useTexts('office-earnings:payouts')
  const { available, requested, terms } = earnings
  const minimum = limitText(locale, terms.payoutMinimum)
  const reason = () => {
    if (requested > 0) return fillText(texts.open, { amount: priceText(locale, requested) })
    if (available < terms.payoutMinimum) return fillText(texts.tooLittle, { minimum })
    return account === null ? texts.account : null
  }
  const obstacle = reason()
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <p className="ask__available">
        {texts.available}{' '}
        <strong>
          <Money amount={available} />
        </strong>
      </p>
      {obstacle ? (
        <p>{obstacle}</p>
      ) : (
        account && <AmountForm earnings={earnings} account={account} onDone={onDone} />
      )}
    </section>
  )
}

/** A request that awaits confirmation; `key` prevents a second request. */
interface Request {
  amount: Millimes
  key: string
}

function AmountForm({ earnings, account, onDone }: Props & { account: BankAccount }) {
  const locale = useLocale()
  const { ask: texts } = useTexts('office-earnings:payouts')
  const [mistake, setMistake] = useState<AmountMistake | null>(null)
  const [request, setRequest] = useState<Request | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const { available, terms } = earnings
  const limits = {
    minimum: limitText(locale, terms.payoutMinimum),
    available: priceText(locale, available),
  }

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const input = String(new FormData(event.currentTarget).get('amount') ?? '')
    const amount = readAmount(input, { least: terms.payoutMinimum, most: available })
    if (typeof amount === 'number') {
      setMistake(null)
      setRequest({ amount, key: randomId() })
    } else {
      setMistake(amount)
      form.current?.querySelector('input')?.focus()
    }
  }
  return (
    <>
      <form className="ask" method="post" noValidate ref={form} onSubmit={submit}>
        <Field
          name="amount"
          label={texts.amount}
          hint={fillText(texts.hint, limits)}
          error={mistake ? fillText(texts[mistake], limits) : undefined}
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
          defaultValue={priceParts(locale, available).number}
        />
        <button type="submit" className="button button--primary">
          {texts.next}
        </button>
      </form>
      {request && (
        <ConfirmMoney
          title={texts.title}
          amount={request.amount}
          to={`${account.holder} · \u2066${readableRib(account.rib)}\u2069`}
          text={texts.text}
          submit={fillText(texts.submit, { amount: priceText(locale, request.amount) })}
          onConfirm={async () => {
            await askForPayout(request.amount, request.key)
            onDone()
          }}
          onClose={() => setRequest(null)}
        />
      )}
    </>
  )
}
