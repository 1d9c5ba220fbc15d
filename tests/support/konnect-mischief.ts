import { type Random, randomFrom } from './random.ts'

/** What the stand-in may do wrong. Each is a share from 0 (never) to 1 (always). */
export interface Mischief {
  // What becomes of a webhook.
  /** Sent five times. */
  readonly duplicate: number
  readonly drop: number
  /** Held until `deliver`, which sends what is held in any order. */
  readonly hold: number
  /** Sent before `init-payment` is answered. */
  readonly early: number

  // What becomes of an answer of the API.
  readonly error: number
  readonly garbage: number
  /** The connection is cut in place of the answer. */
  readonly cut: number
  /** No answer at all. */
  readonly hang: number
  /** Half an answer, and then nothing. */
  readonly stall: number
  /** An answer without an end. */
  readonly huge: number

  // What a read tells wrong of a payment; the books stay right.
  readonly wrongAmount: number
  readonly wrongCurrency: number
  readonly wrongOrder: number
  readonly wrongWallet: number
  readonly wrongPayment: number
  readonly unpaid: number
  readonly expired: number
}

export type Fault = keyof Mischief

export const LIES = [
  'wrongAmount',
  'wrongCurrency',
  'wrongOrder',
  'wrongWallet',
  'wrongPayment',
  'unpaid',
  'expired',
] as const satisfies readonly Fault[]

export const BROKEN_ANSWERS = [
  'error',
  'garbage',
  'cut',
  'hang',
  'stall',
  'huge',
] as const satisfies readonly Fault[]

/** A payment as `GET payments/:id` tells it. */
export interface ReportedPayment {
  id: string
  status: string
  amountDue: number
  reachedAmount: number
  amount: number
  token: string
  orderId: string
  receiverWallet: string
}

/** Throws the dice of one seed. */
export function mischiefOf(seed: number, wish: Partial<Mischief>) {
  const random = randomFrom(seed)
  let shares = wish
  let next: Fault | null = null

  const happens = (fault: Fault) => {
    if (next === fault) {
      next = null
      return true
    }
    const share = shares[fault] ?? 0
    return share > 0 && random.unit() < share
  }
  return {
    random,
    happens,
    /** From now on nothing but this goes wrong. */
    behave(wanted: Partial<Mischief>) {
      shares = wanted
    },
    /** The same, at the next chance alone. */
    behaveOnce(fault: Fault) {
      next = fault
    },
    brokenAnswer: () => BROKEN_ANSWERS.find(happens),
    tell(payment: ReportedPayment): ReportedPayment {
      const reported = { ...payment }
      for (const lie of LIES) if (happens(lie)) Object.assign(reported, lied(lie, reported))
      return reported
    },
    shuffled: <T>(things: readonly T[]) => shuffle(things, random),
  }
}

function lied(lie: (typeof LIES)[number], payment: ReportedPayment): Partial<ReportedPayment> {
  const other = payment.id.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
  switch (lie) {
    case 'wrongAmount':
      return { amount: payment.amount + 10, reachedAmount: payment.reachedAmount + 10 }
    case 'wrongCurrency':
      return { token: 'EUR' }
    case 'wrongOrder':
      return { orderId: other }
    case 'wrongWallet':
      return { receiverWallet: other }
    case 'wrongPayment':
      return { id: other }
    case 'unpaid':
      return { status: 'pending', reachedAmount: 0 }
    case 'expired':
      return { status: 'expired', reachedAmount: 0 }
  }
}

function shuffle<T>(things: readonly T[], random: Random): T[] {
  const left = [...things]
  const drawn: T[] = []
  while (left.length > 0) drawn.push(...left.splice(random.between(0, left.length - 1), 1))
  return drawn
}
