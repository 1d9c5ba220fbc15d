import { randomBytes } from 'node:crypto'
import {
  type Gateway,
  GatewayError,
  type GatewayPayment,
  type PaymentRequest,
} from '../../src/server/gateways/gateway.ts'

export type FakeGateway = ReturnType<typeof fakeGateway>

/**
 * A gateway whose payments a test sets: it reports what `report` set last, or does what `next` says.
 */
export function fakeGateway() {
  const books = new Map<string, GatewayPayment>()
  const opened: PaymentRequest[] = []
  let read = 0
  let isDown = false
  let isHanging = false
  const waiting: (() => void)[] = []

  async function waitOrFail(): Promise<void> {
    if (isDown) throw new GatewayError('connection refused')
    if (isHanging) await new Promise<void>((resolve) => waiting.push(resolve))
  }

  const gateway: Gateway = {
    provider: 'sandbox',
    async open(request) {
      const gatewayReference = randomBytes(12).toString('hex')
      opened.push(request)
      books.set(gatewayReference, {
        gatewayReference,
        reference: request.reference,
        state: 'pending',
        amount: 0,
      })
      await waitOrFail()
      return { payUrl: `https://gateway.test/${gatewayReference}`, gatewayReference }
    },
    async read(reference) {
      read++
      await waitOrFail()
      return books.get(reference) ?? null
    },
  }

  return {
    gateway,
    /** The payments that it was asked to open. */
    opened,
    reads: () => read,
    /** The gateway's reference for ours. */
    referenceOf: (ours: string) =>
      [...books.values()].find(({ reference }) => reference === ours)?.gatewayReference ?? '',
    /** Sets fields of a payment; the others stay. */
    report(gatewayReference: string, change: Partial<GatewayPayment>) {
      const kept = books.get(gatewayReference)
      const fresh = { gatewayReference, reference: '', state: 'pending' as const, amount: 0 }
      books.set(gatewayReference, { ...fresh, ...kept, ...change })
    },
    /** Sets whether its calls fail. */
    fail: (down: boolean) => {
      isDown = down
    },
    /** Sets whether it accepts calls and never answers; releasing it answers the waiting ones. */
    hang: (hanging: boolean) => {
      isHanging = hanging
      if (!hanging) for (const resolve of waiting.splice(0)) resolve()
    },
  }
}
