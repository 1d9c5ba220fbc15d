import { atom, type ReadableAtom, readonlyType } from 'nanostores'
import type { Language } from '../../rules/languages.ts'
import { safePaymentUrl } from '../../rules/return-to.ts'
import { isDecided, logOnly, type Problem, problemOf, Refusal } from '../shared/problem.ts'

/**
 * The state of a payment in the checkout, in a purchase modal or for a top-up. Each of these adds
 * its own `Failure` to a problem.
 */
export type Paying<Failure extends object = object> =
  | { phase: 'idle' }
  /** The checkout asks for confirmation. */
  | { phase: 'confirming' }
  | { phase: 'paying' }
  /**
   * `isOpen`: the outcome is unknown; paying again repeats the same intent and never charges twice.
   */
  | ({ phase: 'failed'; problem: Problem; isOpen: boolean } & Failure)
  /** The browser is going to this URL to pay. */
  | { phase: 'leaving'; paymentUrl: string }
  /**
   * `excluded`: titles that the buyer owned before; `isSettled`: cart, balance and list are up to
   * date.
   */
  | { phase: 'done'; excluded: readonly string[]; isSettled: boolean }

export interface PayingStore<Failure extends object = object> {
  readonly $state: ReadableAtom<Paying<Failure>>
  confirm(): void
  /** Starts paying; returns false while another payment is under way. */
  begin(): boolean
  fail(error: unknown, failure: Failure): void
  /** The page is left for a URL from `paymentAddress`. */
  leave(paymentUrl: string): void
  /** The payment has succeeded; `settle` updates the page. */
  finish(excluded: readonly string[], settle: () => Promise<void>): Promise<void>
  /** Resets the state, only from these phases if any are given; a pending call is not cancelled. */
  reset(...from: Paying['phase'][]): void
}

/** Creates the store of a payment on a page; `what` names it in the log. */
export function createPaying<Failure extends object>(what: string): PayingStore<Failure> {
  const $state = atom<Paying<Failure>>({ phase: 'idle' })
  const isUnderWay = () => {
    const state = $state.get()
    return state.phase === 'paying' || (state.phase === 'done' && !state.isSettled)
  }
  return {
    $state: readonlyType($state),
    confirm: () => $state.set({ phase: 'confirming' }),
    begin() {
      if (isUnderWay()) return false
      $state.set({ phase: 'paying' })
      return true
    },
    fail(error, failure) {
      const problem = problemOf(error)
      $state.set({ phase: 'failed', problem, isOpen: !isDecided(problem), ...failure })
      logOnly(what)(error)
    },
    leave: (paymentUrl) => $state.set({ phase: 'leaving', paymentUrl }),
    async finish(excluded, settle) {
      $state.set({ phase: 'done', excluded, isSettled: false })
      await settle()
      $state.set({ phase: 'done', excluded, isSettled: true })
    },
    reset(...from) {
      if (isUnderWay() || (from.length > 0 && !from.includes($state.get().phase))) return
      $state.set({ phase: 'idle' })
    },
  }
}

/** Returns the URL to pay at; throws `bad_answer` for one that customers must not be sent to. */
export function paymentAddress(paymentUrl: string, origins: readonly string[]): string {
  const address = safePaymentUrl(paymentUrl, origins)
  if (address === null) throw new Refusal('bad_answer', 400)
  return address
}

/** What a payment outside the wallet has to know about the page that starts it. */
export interface PaymentWay {
  /** The language of the gateway's pages and of the e-mails about the payment. */
  locale: Language
  /**
   * The origins of the shop: that of the page and the configured one. Payment URLs must belong to
   * one.
   */
  origins: readonly string[]
}
