import './charging.css'
import { useStore } from '@nanostores/react'
import { useEffect, useId, useLayoutEffect } from 'react'
import type { Provider } from '../../contract/orders.ts'
import { pathIn } from '../../i18n/paths.ts'
import {
  type AmountChoice as Choice,
  readDocumentPrice,
  TOP_UP_PRESETS,
  type TransferMethod,
} from '../../rules/payment-methods.ts'
import { DEFAULT_RETURN_TO, safeReturnTo } from '../../rules/return-to.ts'
import {
  $amountChoice,
  $amountRemark,
  $shownBalance,
  $topUp,
  $topUpAmount,
  $topUpMethod,
  charge,
  choosePreset,
  chooseTopUpMethod,
  leaveAmount,
  proposeAmount,
  resumeTopUp,
  type TopUp,
  type TopUpMethod,
  topUpMethods,
  typeAmount,
} from '../../stores/wallet/top-up.ts'
import { $balanceLoad, loadBalance } from '../../stores/wallet/wallet.ts'
import { Button } from '../parts/Button.tsx'
import { Icon, IconButton } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message, useSaid } from '../parts/Message.tsx'
import { Price } from '../parts/Price.tsx'
import { LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { useHydrated } from '../parts/use-hydrated.ts'
import { island, useMethodName, useTexts } from './texts.ts'
import { WalletHistory } from './WalletHistory.tsx'
import '../../parts/field.css'
import { fillText, isolate, priceText } from '../../i18n/format.ts'
import type { Millimes } from '../../rules/money.ts'
import '../parts/choices.css'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { OpenPayments } from '../parts/OpenPayments.tsx'

interface Props {
  /** The configured payment gateway, and the shop's origin. */
  provider: Provider
  origin: string
  /** The transfers for which the shop has an account. */
  transfers: readonly TransferMethod[]
}

const unknown = () => null
const idle = () => 'idle' as const

function Charging({ provider, origin, transfers }: Props) {
  const locale = useLocale()
  const texts = useTexts('charging:page')
  const isHydrated = useHydrated()
  const userId = useCustomer()
  const balance = useStore($shownBalance, { ssr: unknown })
  const methods = topUpMethods(provider, transfers)
  const method = useStore($topUpMethod, { ssr: unknown }) ?? methods[0]
  const query = new URLSearchParams(isHydrated ? location.search : '')
  const returnTo = safeReturnTo(query.get('returnTo'), pathIn(locale, DEFAULT_RETURN_TO))
  const price = readDocumentPrice(query.get('documentPrice'))
  const origins = isHydrated ? [location.origin, origin] : [origin]
  const way = { returnTo, locale, origins, provider, description: texts.description }

  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      resumeTopUp()
      void loadBalance()
    }
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])
  useEffect(() => {
    if (userId) void loadBalance()
  }, [userId])
  // `first-choice.ts` has drawn this choice. The current balance may propose another one.
  useLayoutEffect(() => {
    if (isHydrated) proposeAmount(price, balance ?? 0)
  }, [isHydrated, price, balance])

  if (userId === null) {
    return <LoggedOut text={texts.notLoggedIn} login={texts.login} />
  }
  return (
    <>
      <form
        className="charging"
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (method) void charge({ ...way, proposed: method })
        }}
      >
        <div className="stack charging__choices">
          <Balance />
          {method ? (
            <>
              <AmountChoice price={price} />
              <MethodChoice provider={provider} methods={methods} chosen={method} />
            </>
          ) : (
            <p className="alert">{texts.notOpen}</p>
          )}
        </div>
        {method && <ChargePanel isReady={isHydrated} provider={provider} method={method} />}
      </form>
      <p>
        <a className="button button--plain" href={returnTo}>
          <Icon name="previous" />
          {texts.back}
        </a>
      </p>
      <WalletHistory userId={userId} />
    </>
  )
}

export default island(Charging)

/** Shows the wallet's balance, or 0 if it could not be loaded. */
export function Balance() {
  const texts = useTexts('charging:page').balance
  const balance = useStore($shownBalance, { ssr: unknown })
  const load = useStore($balanceLoad, { ssr: idle })
  const isFailed = load === 'failed'
  return (
    <section className="balance" aria-labelledby="balance-title">
      <h2 id="balance-title">{texts.title}</h2>
      <p className="balance__amount" role="status">
        {balance === null ? (
          <span className="skeleton balance__skeleton" />
        ) : (
          <Price amount={balance} className="price--big" />
        )}
      </p>
      <IconButton
        icon="refresh"
        label={texts.refresh}
        title={texts.refresh}
        isBusy={load === 'loading'}
        onClick={() => load !== 'loading' && loadBalance()}
      />
      {isFailed && (
        <div className="balance__failed">
          <Message kind="line" text={texts.failed} />
        </div>
      )}
    </section>
  )
}

interface AmountChoiceProps {
  /** The price of the document that the top-up is for, if any. */
  price: Millimes | null
}

const smallest: Choice = { kind: 'preset', amount: TOP_UP_PRESETS[0] ?? 0 }
const notChosen = () => smallest
const nothing = () => null

export function AmountChoice({ price }: AmountChoiceProps) {
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
  const said = useSaid<HTMLParagraphElement>(remark ?? '')
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
          ref={said}
        >
          {texts[remark]}
        </p>
      )}
    </div>
  )
}

interface MethodChoiceProps {
  provider: Provider
  methods: readonly TopUpMethod[]
  chosen: TopUpMethod
}

export function MethodChoice({ provider, methods, chosen }: MethodChoiceProps) {
  const texts = useTexts('charging:page').method
  const nameOf = useMethodName(provider)
  return (
    <fieldset className="stack">
      <legend>{texts.title}</legend>
      {methods.map((each) => (
        <label className="choice-card" key={each}>
          <input
            type="radio"
            name="method"
            value={each}
            checked={chosen === each}
            onChange={() => chooseTopUpMethod(each)}
          />
          <span>
            <strong>
              <bdi>{nameOf(each)}</bdi>
            </strong>
            <br />
            {texts[`${each}Note`]}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface ChargePanelProps {
  /** False until the island is hydrated: the button is disabled. */
  isReady: boolean
  provider: Provider
  method: TopUpMethod
}

const NOT_STARTED: TopUp = { phase: 'idle' }
const notStarted = () => NOT_STARTED

function ChargePanel({ isReady, provider, method }: ChargePanelProps) {
  const locale = useLocale()
  const texts = useTexts('charging:page')
  const errors = useErrorTexts()
  const topUp = useStore($topUp, { ssr: notStarted })
  const amount = useStore($topUpAmount, { ssr: unknown })
  const isBusy = topUp.phase === 'paying' || topUp.phase === 'leaving'
  const isLoggedOut = topUp.phase === 'failed' && topUp.problem.code === 'authentication_required'
  const paymentUrl = topUp.phase === 'leaving' ? topUp.paymentUrl : null

  useEffect(() => {
    if (paymentUrl) location.assign(paymentUrl)
  }, [paymentUrl])

  return (
    <section className="panel stack charge-panel">
      <Summary isReady={isReady} provider={provider} method={method} />
      {isLoggedOut && <Message kind="error" text={texts.notLoggedIn} />}
      {topUp.phase === 'failed' && topUp.problem.payments && (
        <OpenPayments payments={topUp.problem.payments} />
      )}
      {topUp.phase === 'failed' && !isLoggedOut && !topUp.problem.payments && (
        <Message kind="error">
          <p>
            <strong>{texts.failed}</strong>
          </p>
          <p>{problemText(topUp.problem, errors)}</p>
          {topUp.isOpen && (
            <p>{topUp.problem.nothingCharged ? texts.nothingCharged : texts.safe}</p>
          )}
        </Message>
      )}
      <Button
        type="submit"
        kind="primary"
        className="button--wide"
        disabled={!isReady}
        isBusy={isBusy} // Keeps the focus in the amount's field, so that the click checks its value, not the blur.
        onMouseDown={(event) => event.preventDefault()}
      >
        {isBusy
          ? texts.charging[method]
          : amount === null
            ? fillText(texts.charge, { amount: '' }).trim()
            : fillText(texts.charge, { amount: priceText(locale, amount) })}
      </Button>
      <p className="visually-hidden" role="status">
        {topUp.phase === 'leaving' ? texts.leaving[method] : ''}
      </p>
      <div className="charge-panel__info small soft">
        <h3>{texts.info.title}</h3>
        <ul>
          <li>{texts.info.bank}</li>
          {method === 'gateway' && <li>{texts.info.once}</li>}
          <li>{texts.info.refund}</li>
        </ul>
      </div>
    </section>
  )
}

function Summary({ isReady, provider, method }: ChargePanelProps) {
  const locale = useLocale()
  const { summary } = useTexts('charging:page')
  const nameOf = useMethodName(provider)
  const amount = useStore($topUpAmount, { ssr: unknown })
  const balance = useStore($shownBalance, { ssr: unknown })
  const values = {
    amount: priceText(locale, amount ?? 0),
    method: isolate(nameOf(method)),
    balance: priceText(locale, (balance ?? 0) + (amount ?? 0)),
  }
  return (
    <p
      className="charge-panel__summary"
      // Its place alone, until it is known what is chosen.
      data-waits={!isReady}
      aria-live="polite"
    >
      {amount === null
        ? summary.nothing
        : fillText(balance === null ? summary.charge : summary.chargeTo, values)}
    </p>
  )
}
