import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Millimes } from '../../src/rules/money.ts'
import {
  type BROKEN_ANSWERS,
  type Faults,
  faultInjector,
  type ReportedFields,
  type ReportedPayment,
} from './konnect-faults.ts'

export const API_KEY = '0123456789abcdef01234567:only-the-tests-know'

export const WALLET_ID = '5f7a209aeb3f76490ac4a3d1'

/** A payment in the stand-in's own books, which no fault affects. */
interface BookedPayment {
  readonly id: string
  /** The shop's reference. */
  readonly orderId: string
  /** The requested amount. */
  readonly amount: Millimes
  /** The amount really paid. */
  paid: Millimes
  readonly request: Readonly<Record<string, unknown>>
}

export type KonnectStandIn = Awaited<ReturnType<typeof startKonnect>>

export interface KonnectOptions extends Partial<Faults> {
  readonly seed?: number
  /** The URL that is returned for the pay page. */
  readonly payUrl?: string
  /** Where every API request is redirected instead. */
  readonly redirect?: string
  /** The address of this machine at which it listens; by default only this machine reaches it. */
  readonly host?: string
}

/**
 * A server that behaves as Konnect's API documentation and its sandbox, on a free port of this
 * machine: the same paths, a pay page, and the given faults, the same for the same seed.
 */
export async function startKonnect({
  payUrl,
  redirect,
  host = '127.0.0.1',
  seed = 1,
  ...overrides
}: KonnectOptions = {}) {
  const books = new Map<string, BookedPayment>()
  const held: string[] = []
  const waiting = new Set<ServerResponse>()
  const inFlight = new Set<Promise<void>>()
  /** Finds a payment by Konnect's reference, or by the shop's. */
  const bookedPayment = (reference: string) => {
    const found =
      books.get(reference) ?? [...books.values()].find(({ orderId }) => orderId === reference)
    if (!found) throw new Error(`the stand-in has no payment ${reference}`)
    return found
  }
  const faults = faultInjector(seed, overrides)
  const requests: { method: string; path: string }[] = []
  let shopUrl: string | null = null
  let patch: ReportedFields = {}
  let origin = ''

  const server = createServer((request, response) => {
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
    void answer(request, response).catch((error) => response.destroy(error as Error))
  })

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const { method = 'GET' } = request
    requests.push({ method, path: pathname })
    const reference = searchParams.get('payment_ref') ?? ''
    if (pathname === '/pay') {
      return visitPayPage(method, reference, await bodyText(request), response)
    }
    if (redirect !== undefined) {
      response.writeHead(307, { location: redirect }).end()
      return
    }
    if (request.headers['x-api-key'] !== API_KEY)
      return refuse(response, 401, { code: 'unauthorized', sent: request.headers })
    if (method === 'POST' && pathname === '/api/v2/payments/init-payment') {
      return open(JSON.parse(await bodyText(request)), response)
    }
    const [, id] = /^\/api\/v2\/payments\/([^/]+)$/.exec(pathname) ?? []
    const payment = books.get(id ?? '')
    if (method !== 'GET' || !payment)
      return refuse(response, 404, { code: 'not_found', sent: pathname })
    const told = { ...faults.tell(reported(payment)), ...patch }
    sendJson(response, { payment: told }, faults.brokenAnswer())
  }

  async function open(body: Record<string, unknown>, response: ServerResponse) {
    const { receiverWalletId, amount, orderId } = body
    if (receiverWalletId !== WALLET_ID)
      return refuse(response, 404, { code: 'wallet_not_found', sent: body })
    if (!Number.isInteger(amount) || Number(amount) < 100 || Number(amount) > 10_000_000) {
      return refuse(response, 422, { code: 'invalid_amount', sent: body })
    }
    const id = Array.from({ length: 24 }, () => faults.random.between(0, 15).toString(16)).join('')
    const payment = { id, orderId: String(orderId), amount: Number(amount), paid: 0, request: body }
    books.set(id, payment)
    if (faults.occurs('early')) {
      // The payer was faster than our response.
      payment.paid = payment.amount
      await callWebhook(id)
    }
    const page = payUrl ?? `${origin}/pay?payment_ref=${id}`
    sendJson(response, { payUrl: page, paymentRef: id }, faults.brokenAnswer())
  }

  function visitPayPage(method: string, id: string, form: string, response: ServerResponse) {
    const payment = books.get(id)
    if (!payment) return void response.writeHead(404).end()
    if (method === 'GET') return payPage(response, payment.amount)
    const isPaid = new URLSearchParams(form).get('do') === 'pay'
    if (isPaid) pay(id)
    response.writeHead(303, { location: backFrom(payment, isPaid) }).end()
  }

  /** The payer pays, possibly a different amount than requested. */
  function pay(id: string, amount?: Millimes): void {
    const payment = bookedPayment(id)
    payment.paid = amount ?? payment.amount
    signal(id)
  }

  function backFrom({ id, request }: BookedPayment, isPaid: boolean): string {
    const url = new URL(String(isPaid ? request.successUrl : request.failUrl))
    url.searchParams.set('payment_ref', id)
    return inShop(url)
  }

  /** Tests know the shop's port only once it listens. */
  function inShop(url: URL): string {
    return shopUrl === null ? url.href : shopUrl + url.pathname + url.search
  }

  /** Sends the shop a payment's webhook, subject to faults. */
  function signal(id: string): void {
    if (faults.occurs('drop')) return
    const times = faults.occurs('duplicate') ? 5 : 1
    for (let time = 0; time < times; time++) {
      if (faults.occurs('hold')) held.push(id)
      else void callWebhook(id)
    }
  }

  function callWebhook(id: string): Promise<void> {
    const url = new URL(String(bookedPayment(id).request.webhook))
    url.searchParams.set('payment_ref', id)
    const call = fetch(inShop(url), { redirect: 'manual' })
      .then((response) => response.arrayBuffer())
      // A shop that is down does not hear it.
      .then(
        () => {},
        () => {},
      )
      .finally(() => inFlight.delete(call))
    inFlight.add(call)
    return call
  }

  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  origin = `http://${host}:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return {
    config: {
      provider: 'konnect',
      apiKey: API_KEY,
      walletId: WALLET_ID,
      methods: ['bank_card', 'flouci'],
      baseUrl: `${origin}/api/v2`,
    } as const,
    /** The environment with which a shop uses it. */
    env: {
      PAYMENT_PROVIDER: 'konnect',
      KONNECT_API_KEY: API_KEY,
      KONNECT_WALLET_ID: WALLET_ID,
      KONNECT_BASE_URL: `${origin}/api/v2`,
    },
    /** Every opened payment, by Konnect's reference. */
    books: books as ReadonlyMap<string, BookedPayment>,
    /** Finds a payment by Konnect's reference or the shop's. */
    payment: bookedPayment,
    requests,
    behave: faults.behave,
    behaveOnce: faults.behaveOnce,
    /** From now on payments are reported with these fields; an undefined one is left out. */
    report(fields: ReportedFields) {
      patch = fields
    },
    shuffled: faults.shuffled,
    pay: (id: string, amount?: Millimes) => pay(bookedPayment(id).id, amount),
    webhook: (id: string) => callWebhook(bookedPayment(id).id),
    /** The URL that the browser returns to. */
    wayBack: (id: string, isPaid = true) => backFrom(bookedPayment(id), isPaid),
    /** Sends the held webhooks, in random order, and waits for every webhook in flight. */
    async deliver() {
      for (const id of faults.shuffled(held.splice(0))) void callWebhook(id)
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
    /** Sets the shop's origin if it differs from the URLs that the shop sends. */
    callsBackAt(url: string) {
      shopUrl = url
    },
    /** The number of unanswered requests. */
    waiting: () => waiting.size,
    /** Closes them all without a response. */
    hangUp() {
      for (const response of waiting) response.destroy()
    },
    stop,
  }
}

/** A payment as an honest gateway reports it. */
function reported({ id, orderId, amount, paid }: BookedPayment): ReportedPayment {
  return {
    id,
    status: paid >= amount ? 'completed' : 'pending',
    amountDue: Math.max(0, amount - paid),
    reachedAmount: paid,
    amount,
    token: 'TND',
    orderId,
    receiverWallet: WALLET_ID,
  }
}

/** Sends JSON, or a response broken in this way. */
function sendJson(
  response: ServerResponse,
  body: object,
  broken?: (typeof BROKEN_ANSWERS)[number],
): void {
  const text = JSON.stringify(body)
  response.setHeader('content-type', 'application/json')
  switch (broken) {
    case 'hang':
      return
    case 'cut':
      response.destroy()
      return
    case 'error':
      response.writeHead(500).end('<h1>Internal error</h1>')
      return
    case 'garbage':
      response.end(`${text.slice(0, -1)},]`)
      return
    case 'stall':
      response.write(text.slice(0, text.length / 2))
      return
    case 'huge':
      flood(response)
      return
    default:
      response.end(text)
  }
}

/** An error in Konnect's format. It echoes the request, as a careless gateway might. */
function refuse(
  response: ServerResponse,
  status: number,
  { code, sent }: { code: string; sent: unknown },
): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ errors: [{ code, target: '', message: JSON.stringify(sent) }] }))
}

/** A page with two buttons that post `do=pay` or `do=refuse`. */
function payPage(response: ServerResponse, amount: number): void {
  const button = (name: string) => `<button name="do" value="${name}">${name}</button>`
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<form method="post">${amount}${button('pay')}${button('refuse')}</form>`)
}

async function bodyText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

/** Writes endlessly, as fast as the client reads. */
function flood(response: ServerResponse): void {
  const block = ' '.repeat(64 * 1024)
  const more = () => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', more)
  more()
}
