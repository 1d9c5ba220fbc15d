import type { Locale } from '../../i18n/locales.ts'
import type { Millimes } from '../../rules/money.ts'
import type { GatewayName, GatewayState } from '../../rules/payment-states.ts'
import { fault } from '../http/errors.ts'

export interface PaymentRequest {
  /** Ours; the gateway reports it as the order's id. */
  readonly reference: string
  readonly amount: Millimes
  readonly description: string
  readonly payer: {
    readonly firstName: string
    readonly lastName: string
    readonly email: string | null
    readonly phone: string | null
  }
  readonly locale: Locale
  /** Absolute addresses of ours. */
  readonly successUrl: string
  readonly failUrl: string
  readonly webhookUrl: string
  /** How long it can be paid, in milliseconds from now. */
  readonly lifetime: number
}

/** A payment as its gateway reports it; every field is checked before the money is booked. */
export interface GatewayPayment {
  readonly gatewayReference: string
  /** Our reference, as the gateway has it. */
  readonly reference: string
  /**
   * `paid` only for a completed payment in TND into our wallet. `pending` covers failed and not attempted
   * payments where the gateway does not distinguish them; only `refused` and `expired` are final, and money
   * that arrives even after them is booked. After `unclear` the payment stays as it is.
   */
  readonly state: GatewayState
  /** What is not understood of an `unclear` report, for the log; quotes nothing of the payer's. */
  readonly unclear?: string
  /** The amount that was actually paid. */
  readonly amount: Millimes
}

/** A payment gateway; each provider implements this interface. */
export interface Gateway {
  readonly provider: GatewayName
  /**
   * Opens a payment. Never called inside a database transaction; throws `GatewayError` within
   * seconds, after which it is unknown whether the gateway has it.
   */
  open(request: PaymentRequest): Promise<{ payUrl: string; gatewayReference: string }>
  /** Reads a payment's state; null if the gateway does not know the payment. Throws `GatewayError`. */
  read(gatewayReference: string): Promise<GatewayPayment | null>
}

/** The shop's gateway; throws `no_gateway` where it has none. */
export function requireGateway({ gateway }: { readonly gateway: Gateway | null }): Gateway {
  if (!gateway) throw fault('no_gateway')
  return gateway
}

/** The gateway did not answer, or its answer is not understood: the state of the payment is unknown. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
}
