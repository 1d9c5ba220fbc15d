import '../parts/field.css'
import './amount-choice.css'
import { useStore } from '@nanostores/react'
import { useId } from 'react'
import { fillText, priceText } from '../../i18n/format.ts'
import type { Millimes } from '../../rules/money.ts'
import { TOP_UP_PRESETS } from '../../rules/payment-methods.ts'
import {
  $amountChoice,
  $amountRemark,
  type AmountChoice as Choice,
  choosePreset,
  leaveAmount,
  typeAmount,
} from '../../stores/wallet/top-up.ts'
import { useLocale } from '../parts/island.tsx'
import { Price } from '../parts/Price.tsx'
import { useTexts } from './texts.ts'

interface Props {
  /** The price of the document that the top-up is for, if any. */
  price: Millimes | null
}

const smallest: Choice = { kind: 'preset', amount: TOP_UP_PRESETS[0] ?? 0 }
const notChosen = () => smallest
const nothing = () => null

/** The preset amounts, drawn as tickets, and a field for any other amount. */
export function AmountChoice({ price }: Props) {
  const locale = useLocale()
  const texts = useTexts('charging:page').amount
  const choice = useStore($amountChoice, { ssr: notChosen })
  return (
    <fieldset className="stack">
      <legend>{texts.title}</legend>
      {price !== null && price > 0 && (
        <p className="soft">{fillText(texts.for, { amount: priceText(locale, price) })}</p>
      )}
      <div className="tickets" role="radiogroup" aria-label={texts.preset}>
        {TOP_UP_PRESETS.map((amount) => (
          <label className="top-up-ticket" key={amount}>
            <input
              type="radio"
              name="amount"
              value={amount}
              checked={choice.kind === 'preset' && choice.amount === amount}
              onChange={() => choosePreset(amount)}
            />
            <Ticket amount={amount} />
          </label>
        ))}
      </div>
      <CustomAmount text={choice.kind === 'custom' ? choice.text : ''} />
    </fieldset>
  )
}

function Ticket({ amount }: { amount: Millimes }) {
  return (
    <span className="top-up-ticket__face">
      <Price amount={amount} />
    </span>
  )
}

function CustomAmount({ text }: { text: string }) {
  const texts = useTexts('charging:page').amount
  const remark = useStore($amountRemark, { ssr: nothing })
  const id = useId()
  const isWrong = remark !== null && remark !== 'raised'
  return (
    <div className="field custom-amount">
      <label htmlFor={id}>{texts.custom}</label>
      <input
        id={id}
        name="custom"
        type="text"
        inputMode="decimal"
        dir="ltr"
        autoComplete="off"
        value={text}
        aria-invalid={isWrong ? true : undefined}
        aria-describedby={remark ? `${id}-hint ${id}-remark` : `${id}-hint`}
        onChange={(event) => typeAmount(event.target.value)}
        onBlur={leaveAmount}
      />
      <p className="field__hint" id={`${id}-hint`}>
        {texts.hint}
      </p>
      {remark && (
        <p
          className={isWrong ? 'field__error' : 'custom-amount__raised'}
          id={`${id}-remark`}
          role="alert"
        >
          {texts[remark]}
        </p>
      )}
    </div>
  )
}
