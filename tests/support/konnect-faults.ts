import { type Random, randomFrom } from './random.ts'

/** The faults of the stand-in, each with a probability from 0 (never) to 1 (always). */
export interface Faults {
  // Faults of webhooks.
  /** Sent five times. */
  readonly duplicate: number
  readonly drop: number
  /** Held until `deliver`, which sends the held ones in random order. */
  readonly hold: number
  /** Sent before the response to `init-payment`. */
  readonly early: number

  // Faults of API responses.
  readonly error: number
  readonly garbage: number
  /** The connection is cut instead of a response. */
  readonly cut: number
  /** No response at all. */
  readonly hang: number
  /** Half a response, and then nothing. */
  readonly stall: number
  /** An endless response. */
  readonly huge: number

  // Wrong data when a payment is read; the books stay right.
  readonly wrongAmount: number
  readonly wrongCurrency: number
  readonly wrongOrder: number
  readonly wrongWallet: number
  readonly wrongPayment: number
  readonly unpaid: number
  readonly expired: number

  // Answers in forms that Konnect's documentation and its clients show beside the first one.
  /** The wallet as `{ _id }`, as older clients read it. */
  readonly oldWallet: number
  /** The wallet as plain text. */
  readonly textWallet: number
  /** Without `amount`. */
  readonly noAmount: number
  /** Fields that the shop does not read have types of their own. */
  readonly strangeFields: number
}

export type Fault = keyof Faults

export const WRONG_FIELDS = [
  'wrongAmount',
  'wrongCurrency',
  'wrongOrder',
  'wrongWallet',
  'wrongPayment',
  'unpaid',
  'expired',
] as const satisfies readonly Fault[]

export const FORMS = [
  'oldWallet',
  'textWallet',
  'noAmount',
  'strangeFields',
] as const satisfies readonly Fault[]

/** Reports change from form to form. */
export const EVERY_FORM = Object.fromEntries(FORMS.map((form) => [form, 0.3]))

export const BROKEN_ANSWERS = [
  'error',
  'garbage',
  'cut',
  'hang',
  'stall',
  'huge',
] as const satisfies readonly Fault[]

/** A payment as an honest gateway would report it, with its wallet as text. */
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

/** The fields of a payment as `GET payments/:id` returns them. */
export type ReportedFields = Record<string, unknown>

/** Draws the faults from one seed. */
export function faultInjector(seed: number, overrides: Partial<Faults>) {
  const random = randomFrom(seed)
  let shares = overrides
  let next: Fault | null = null

  const occurs = (fault: Fault) => {
    if (next === fault) {
      next = null
      return true
    }
    const share = shares[fault] ?? 0
    return share > 0 && random.unit() < share
  }
  return {
    random,
    occurs,
    /** From now on only this fault occurs. */
    behave(wanted: Partial<Faults>) {
      shares = wanted
    },
    /** This fault occurs at the next opportunity only. */
    behaveOnce(fault: Fault) {
      next = fault
    },
    brokenAnswer: () => BROKEN_ANSWERS.find(occurs),
    tell(payment: ReportedPayment): ReportedFields {
      const reported = { ...payment }
      for (const lie of WRONG_FIELDS)
        if (occurs(lie)) Object.assign(reported, falsified(lie, reported))
      return FORMS.filter(occurs).reduce(inForm, {
        ...reported,
        receiverWallet: { id: reported.receiverWallet },
      })
    },
    shuffled: <T>(things: readonly T[]) => shuffle(things, random),
  }
}

function falsified(
  lie: (typeof WRONG_FIELDS)[number],
  payment: ReportedPayment,
): Partial<ReportedPayment> {
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

function inForm(fields: ReportedFields, form: (typeof FORMS)[number]): ReportedFields {
  const { amount, ...others } = fields
  const [wallet] = Object.values(fields.receiverWallet ?? {})
  switch (form) {
    case 'oldWallet':
      return { ...fields, receiverWallet: { _id: wallet } }
    case 'textWallet':
      return { ...fields, receiverWallet: wallet }
    case 'noAmount':
      return others
    case 'strangeFields':
      return {
        ...others,
        amount: String(amount),
        amountDue: null,
        expirationDate: 0,
        transactions: 'none',
        details: [{ receiverWallet: 7 }],
      }
  }
}

function shuffle<T>(things: readonly T[], random: Random): T[] {
  const left = [...things]
  const drawn: T[] = []
  while (left.length > 0) drawn.push(...left.splice(random.between(0, left.length - 1), 1))
  return drawn
}
