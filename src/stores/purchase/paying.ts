import { atom, type ReadableAtom, readonlyType } from 'nanostores'
import { safePaymentUrl } from '../../rules/payment-address.ts'
import { isDecided, logOnly, type Problem, problemOf, Refusal } from '../shared/problem.ts'

/**
 * How far paying is: in the checkout, in a purchase modal, for a top-up. `Failure` is what each of
 * them adds to a problem.
 */
export type Paying<Failure extends object = object> =
  | { phase: 'idle' }
  /** The checkout asks once more. */
  | { phase: 'confirming' }
  | { phase: 'paying' }
  /** `isOpen`: no answer came; paying again repeats the same intent and never charges twice. */
  | ({ phase: 'failed'; problem: Problem; isOpen: boolean } & Failure)
  /** The browser is to go there to pay. */
  | { phase: 'leaving'; paymentUrl: string }
  /** `excluded`: titles that were owned before; `isSettled`: cart, balance and list are up to date. */
  | { phase: 'done'; excluded: readonly string[]; isSettled: boolean }

export interface PayingStore<Failure extends object = object> {
  readonly $state: ReadableAtom<Paying<Failure>>
  confirm(): void
  /** Begins to pay; false while another payment is under way. */
  begin(): boolean
  fail(error: unknown, failure: Failure): void
  /** The page is to leave for an address of `paymentAddress`. */
  leave(paymentUrl: string): void
  /** It is paid; `settle` brings the page up to date. */
  finish(excluded: readonly string[], settle: () => Promise<void>): Promise<void>
  /** Back to the start, from these phases or from all; what is under way is not called back. */
  reset(...from: Paying['phase'][]): void
}

/** The steps of paying one thing on a page; `what` names it in the log. */
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

/** The address to pay at; throws `bad_answer` for one that nobody is sent to. */
export function paymentAddress(paymentUrl: string, origins: readonly string[]): string {
  const address = safePaymentUrl(paymentUrl, origins)
  if (address === null) throw new Refusal('bad_answer', 400)
  return address
}
