import { enums, integer, is, min, type Struct, string, type, union } from 'superstruct'
import { paymentReference } from '../../contract/values.ts'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import { CURRENCY } from '../../rules/money.ts'
import type { PaymentConfig } from '../config/config.ts'
import { codeOf } from '../database/start-error.ts'
import { type Gateway, GatewayError, type GatewayPayment, type PaymentRequest } from './gateway.ts'

/** How long a call to a payment gateway may take; a time-out means unknown, not failed. */
const GATEWAY_TIMEOUT_MS = 10 * SECOND_MS

type KonnectConfig = Extract<PaymentConfig, { provider: 'konnect' }>

export interface KonnectOptions {
  /** How long one call may take in all, in milliseconds. */
  readonly timeout?: number
}

const Opened = type({ payUrl: string(), paymentRef: paymentReference() })

const Found = type({ payment: type({}) })

/** Konnect's documentation has the wallet as an object; older and community texts differ. */
const Wallet = union([string(), type({ id: string() }), type({ _id: string() })])

/**
 * Konnect (docs.konnect.network). Its amounts are millimes like ours. It has no idempotency key, so `open`
 * sends its request once; `read` repeats its request once where it got no usable answer.
 */
export function konnectGateway(config: KonnectConfig, options: KonnectOptions = {}): Gateway {
  const { timeout = GATEWAY_TIMEOUT_MS } = options
  const key = { 'x-api-key': config.apiKey }

  return {
    provider: 'konnect',

    async open(request) {
      const name = 'Konnect init-payment'
      const answer = await askGateway(
        {
          name,
          method: 'POST',
          url: `${config.baseUrl}/payments/init-payment`,
          headers: { ...key, 'content-type': 'application/json' },
          body: JSON.stringify(initPayment(config, request)),
        },
        AbortSignal.timeout(timeout),
      )
      const { payUrl, paymentRef } = understand(name, answer, Opened)
      if (!isPayPage(payUrl)) throw new GatewayError(`${name}: the pay page has no https address`)
      return { payUrl, gatewayReference: paymentRef }
    },

    async read(gatewayReference) {
      // The reference becomes part of a URL.
      if (!is(gatewayReference, paymentReference())) return null
      const name = 'Konnect payment'
      const url = `${config.baseUrl}/payments/${gatewayReference}`
      const signal = AbortSignal.timeout(timeout)
      const ask = () => askGateway({ name, method: 'GET', url, headers: key }, signal)
      const answer = await twice(ask, signal)
      if (answer.status === 404) return null
      return reported(understand(name, answer, type({})), gatewayReference, config.walletId)
    },
  }
}

/** A reference of the form of Konnect's that no payment has. */
const NO_PAYMENT = '0'.repeat(24)

/**
 * Asks Konnect about a payment that does not exist, which has no effect. Throws a `GatewayError` if
 * it does not answer, fails, or refuses the key; that it takes the key, only a payment shows.
 */
export async function tryKonnect(
  { apiKey, baseUrl }: KonnectConfig,
  signal: AbortSignal,
): Promise<void> {
  const name = 'Konnect'
  const url = `${baseUrl}/payments/${NO_PAYMENT}`
  const request = { name, method: 'GET', url, headers: { 'x-api-key': apiKey } } as const
  const { status } = await askGateway(request, signal)
  if (status === 401 || status === 403) throw new GatewayError(`${name} refuses KONNECT_API_KEY`)
  if (status >= 500) throw new GatewayError(`${name}: answered ${status}`)
}

function initPayment({ walletId, methods }: KonnectConfig, request: PaymentRequest) {
  const { payer } = request
  return {
    receiverWalletId: walletId,
    token: CURRENCY,
    amount: request.amount,
    // Part payments would never match the exact amount.
    type: 'immediate',
    description: request.description,
    acceptedPaymentMethods: methods,
    lifespan: Math.max(1, Math.floor(request.lifetime / MINUTE_MS)),
    checkoutForm: false,
    addPaymentFeesToAmount: false,
    firstName: payer.firstName,
    lastName: payer.lastName,
    ...(payer.email !== null && { email: payer.email }),
    ...(payer.phone !== null && { phoneNumber: payer.phone }),
    orderId: request.reference,
    webhook: request.webhookUrl,
    // Without it Konnect would redirect the payer to the webhook.
    silentWebhook: true,
    successUrl: request.successUrl,
    failUrl: request.failUrl,
  }
}

/** Konnect's states. Its `pending` means failed or not attempted, and is never final. */
const STATES = { pending: 'pending', completed: 'paid', expired: 'expired' } as const
const Status = enums(['pending', 'completed', 'expired'])

/**
 * A payment as Konnect's answer has it. Only the fields that decide about money are read. Where one
 * is missing, not understood, or not of our payment, wallet and currency, the report is unclear.
 */
function reported(answer: unknown, gatewayReference: string, walletId: string): GatewayPayment {
  const payment: Partial<Record<string, unknown>> = is(answer, Found) ? answer.payment : {}
  const { id, status, reachedAmount, token, orderId, receiverWallet } = payment
  const isStatus = is(status, Status)
  const isAmount = is(reachedAmount, min(integer(), 0))
  const isOrder = is(orderId, string())
  const unclear = Object.entries({
    id: id === gatewayReference,
    [named(status)]: isStatus,
    reachedAmount: isAmount,
    token: token === CURRENCY,
    orderId: isOrder,
    receiverWallet: walletOf(receiverWallet) === walletId,
  }).flatMap(([field, isClear]) => (isClear ? [] : [field]))
  return {
    gatewayReference,
    reference: isOrder ? orderId : '',
    amount: isAmount ? reachedAmount : 0,
    ...(isStatus && unclear.length === 0
      ? { state: STATES[status] }
      : { state: 'unclear', unclear: unclear.join(', ') }),
  }
}

/** `status`, with its value where that is a word. */
const named = (status: unknown) =>
  typeof status === 'string' && /^[a-z_-]{1,30}$/i.test(status) ? `status "${status}"` : 'status'

function walletOf(wallet: unknown): string | undefined {
  if (!is(wallet, Wallet)) return undefined
  if (typeof wallet === 'string') return wallet
  return 'id' in wallet ? wallet.id : wallet._id
}

function understand<T>(name: string, { status, body }: GatewayAnswer, struct: Struct<T, unknown>) {
  if (status < 200 || status > 299) throw new GatewayError(`${name}: answered ${status}`)
  if (!is(body, struct)) throw new GatewayError(`${name}: the answer was not understood`)
  return body
}

/** Repeats a request once, within the same time limit, after no answer or a status of 500 and above. */
async function twice(ask: () => Promise<GatewayAnswer>, signal: AbortSignal) {
  try {
    const answer = await ask()
    if (answer.status < 500) return answer
  } catch (error) {
    if (signal.aborted) throw error
  }
  return ask()
}

/** Whether a browser may be sent to an address: it has https, or is a stand-in on this machine. */
function isPayPage(address: string): boolean {
  const url = URL.parse(address)
  if (!url || url.username || url.password) return false
  const isLoopback = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)
}

interface GatewayRequest {
  /** Names it in error messages; holds no secret and no personal data. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A gateway's answer. `body` is parsed JSON, undefined where it is not JSON. */
interface GatewayAnswer {
  readonly status: number
  readonly body: unknown
}

/** The largest accepted answer, in bytes; no real answer needs as much. */
const ANSWER_MAX_BYTES = 256 * 1024

/** Sends one request; `signal` bounds all of it. A `GatewayError` quotes neither side's data. */
async function askGateway(
  { name, method, url, headers, body }: GatewayRequest,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      body,
      signal,
      // The API key must not be sent to any address but the configured one.
      redirect: 'error',
    })
    return { status: response.status, body: parse(await readText(name, response)) }
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError(`${name}: ${reasonOf(error, signal)}`)
  }
}

async function readText(name: string, response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop ends the connection: the rest of the body is not received.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX_BYTES) throw new GatewayError(`${name}: the answer is too long`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer in time'
  const code = codeOf((error as { cause?: unknown }).cause)
  return code && /^[A-Z][A-Z_]+$/.test(code) ? `not reached (${code})` : 'not reached'
}
