import { atom, computed, readonlyType } from 'nanostores'
import type { Provider } from '../../contract/orders.ts'
import { dinars, inDinars, type Millimes } from '../../rules/money.ts'
import { isBlank } from '../../rules/pasted-text.ts'
import {
  type AmountChoice,
  checkTopUp,
  MIN_TOP_UP,
  proposedChoice,
  type TransferMethod,
} from '../../rules/payment-methods.ts'
import { amountProblem, parseDinars } from '../../rules/typed-numbers.ts'
import { withIntent } from '../payment/intents.ts'
import { createPaying, type Paying, type PaymentWay, paymentAddress } from '../payment/paying.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { Refusal } from '../shared/problem.ts'
import { $balance, $balanceLoad } from './wallet.ts'

/** How a top-up is paid: by the configured online gateway, or by D17. */
export type TopUpMethod = 'gateway' | 'd17'

/**
 * The methods that a shop with this gateway and these accounts offers, the proposed one first; a
 * shop that is not open yet has none.
 */
export function topUpMethods(
  provider: Provider,
  transfers: readonly TransferMethod[],
): readonly TopUpMethod[] {
  const methods: readonly TopUpMethod[] = ['gateway', 'd17']
  return methods.filter((each) =>
    each === 'd17' ? transfers.includes('d17') : provider !== 'none',
  )
}

/** A remark on the custom amount; `raised`: it was below the minimum, which replaced it. */
type AmountRemark = 'raised' | 'above_maximum' | 'not_an_amount' | 'third_decimal'

export type TopUp = Paying

const paying = createPaying('top-up')
export const $topUp = paying.$state

const $choice = atom<AmountChoice>({ kind: 'preset', amount: MIN_TOP_UP })
export const $amountChoice = readonlyType($choice)

const $remark = atom<AmountRemark | null>(null)
export const $amountRemark = readonlyType($remark)

const $method = atom<TopUpMethod | null>(null)

/** The chosen method; null before a choice, when the first of `topUpMethods` applies. */
export const $topUpMethod = readonlyType($method)

/** The amount that would be charged, in millimes; null while the typed amount is not allowed. */
export const $topUpAmount = computed($choice, (choice) => {
  const amount = choice.kind === 'preset' ? choice.amount : typedAmount(choice.text)
  return amount !== null && checkTopUp(amount) === null ? amount : null
})

/** The balance as this page shows it: 0 if it could not be loaded. */
export const $shownBalance = computed([$balance, $balanceLoad], (balance, load) =>
  load === 'failed' ? 0 : balance,
)

function typedAmount(text: string): Millimes | null {
  const amount = parseDinars(text)
  return amount === null ? null : dinars(amount)
}

const unreadable = (text: string): AmountRemark =>
  amountProblem(text) === 'thirdDecimal' ? 'third_decimal' : 'not_an_amount'

let isTouched = false

/** Proposes the smallest preset that covers the missing amount, until the user has chosen. */
export function proposeAmount(price: Millimes | null, balance: Millimes): void {
  if (!isTouched) $choice.set(proposedChoice(price, balance))
}

export function choosePreset(amount: Millimes): void {
  isTouched = true
  $remark.set(null)
  $choice.set({ kind: 'preset', amount })
}

/** Sets the typed text; it is checked when the field loses focus. */
export function typeAmount(text: string): void {
  isTouched = true
  $remark.set(null)
  $choice.set({ kind: 'custom', text })
}

/**
 * Checks the typed amount when its field loses focus: raises an amount below the minimum to it,
 * with a remark. Returns whether the amount can be charged as it was typed.
 */
export function leaveAmount(): boolean {
  const choice = $choice.get()
  if (choice.kind === 'preset') return true
  if (isBlank(choice.text)) {
    $choice.set({ kind: 'preset', amount: MIN_TOP_UP })
    return false
  }
  const amount = typedAmount(choice.text)
  const wrong = amount === null ? unreadable(choice.text) : checkTopUp(amount)
  if (wrong === 'below_minimum') {
    $choice.set({ kind: 'custom', text: String(inDinars(MIN_TOP_UP)) })
    $remark.set('raised')
  } else if (wrong) $remark.set(wrong)
  return wrong === null
}

export function chooseTopUpMethod(method: TopUpMethod): void {
  $method.set(method)
}

/** How a top-up is described to the gateway, and where the payer returns to. */
interface TopUpWay extends PaymentWay {
  /** The gateway that the shop is configured with. */
  provider: Provider
  /** The method that applies while none is chosen. */
  proposed: TopUpMethod
  /** The payment's description at the gateway. */
  description: string
  /** The path of this site to return to. */
  returnTo: string
}

/** Starts the top-up; the browser then goes to `paymentUrl`. */
export async function charge(way: TopUpWay): Promise<void> {
  const { returnTo, locale, origins } = way
  const { phase } = $topUp.get()
  if (phase === 'paying' || phase === 'leaving' || !leaveAmount()) return
  const amount = $topUpAmount.get()
  if (amount === null) return
  paying.begin()
  const userId = $session.get()?.userId
  if (userId === undefined) return paying.fail(new Refusal('authentication_required', 401), {})
  const method = $method.get() ?? way.proposed
  const body = {
    userId,
    amount,
    currency: 'TND' as const,
    description: way.description,
    paymentMethod: method === 'd17' ? 'D17' : way.provider,
    returnTo,
    locale,
  }
  try {
    const wanted = {
      purpose: 'top_up',
      userId,
      about: `${amount} ${method}`,
      body,
    } as const
    const started = await withIntent(wanted, (sent, options) =>
      // The same top-up may be repeated from another page, and returns to that one.
      ask(({ wallet }) => wallet.initiateRecharge, { body: { ...sent, returnTo } }, options),
    )
    paying.leave(paymentAddress(started.paymentUrl, origins))
  } catch (error) {
    paying.fail(error, {})
  }
}

/** Resets the state after "back" from the gateway has restored this page. */
export function resumeTopUp(): void {
  paying.reset('leaving')
}
