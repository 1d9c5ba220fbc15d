import type { ApiRequest } from '../../src/client/api.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'
import { purchased } from './fake-shop-answers.ts'

/**
 * What a request is answered with instead of being carried out; `lost`: carried out, never
 * answered.
 */
export type Fault = ErrorCode | 'network' | 'lost'

/** The state of the fake shop, which tests may set. */
export function emptyShop() {
  const carts = new Map<string, number[]>()
  const owned: number[] = []
  const wished: number[] = []
  const rated: unknown[] = []
  const unsold = new Set<number>()
  const requests: ApiRequest[] = []
  return {
    carts,
    owned,
    wished,
    /** The bodies of the accepted ratings. */
    rated,
    unsold,
    requests,
    balance: 60,
    /** Whether the customer's address is confirmed. */
    isConfirmed: false,
    /** How often the wallet was charged. */
    charges: 0,
    /** The bodies of the top-ups and direct payments that were started. */
    started: [] as Record<string, unknown>[],
    /** The page on which a started payment is made; null: it is paid at once. */
    paymentUrl: 'https://gateway.example/pay' as string | null,
    /** The orders that were created, oldest first. */
    orders: [] as {
      id: number
      documentIds: number[]
      total: number
      status: string
      isStarted?: boolean
    }[],
    /** The state of every payment that was started. */
    paymentState: 'pending' as 'pending' | 'paid' | 'refused' | 'expired' | 'cancelled',
    paymentMethod: 'card',
    /** The wallet's movements, newest first. */
    history: [] as { id: number }[],
    /** Its pending top-ups. */
    waiting: [] as unknown[],
    /** In dinars, for every document. */
    price: 5,
    /** Whether it compares the totals that pages send; other backends may ignore them. */
    comparesTotals: true,
    token: '' as unknown,
    /** Further fields of an owned document in lists. */
    purchased: purchased as (id: number) => Record<string, unknown>,
    fault: (_request: ApiRequest, _index: number): Fault | undefined => undefined,
    /** Delays the response until the promise resolves. */
    delay: (_request: ApiRequest): Promise<void> | undefined => undefined,
    requestsTo: (start: string) =>
      requests.filter(({ method, path }) => `${method} ${path}`.startsWith(start)),
  }
}

export type ShopState = ReturnType<typeof emptyShop>
