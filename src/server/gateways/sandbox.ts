import { randomBytes } from 'node:crypto'
import { pathIn } from '../../i18n/paths.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Database } from '../database/pool.ts'
import { DatabaseUnavailable } from '../database/unavailable.ts'
import { type Gateway, GatewayError, type PaymentRequest } from './gateway.ts'

/** How long after "pay later" the sandbox pays. */
export const SANDBOX_DELAY_MS = 10 * SECOND_MS

export interface SandboxOptions {
  readonly database: Database
  readonly siteUrl: string
  readonly now: () => number
}

/** A gateway for trying the shop: no money moves, and a page of the site lets the buyer choose how the payment ends. */
export function sandboxGateway({ database, siteUrl, now }: SandboxOptions): Gateway {
  return {
    provider: 'sandbox',
    async open(request: PaymentRequest) {
      const gatewayReference = randomBytes(12).toString('hex')
      await asGateway(
        database.kysely
          .insertInto('sandboxPayments')
          .values({
            reference: gatewayReference,
            orderReference: request.reference,
            amount: request.amount,
            successUrl: request.successUrl,
            failUrl: request.failUrl,
            webhookUrl: request.webhookUrl,
            locale: request.locale,
          })
          .execute(),
      )
      const page = pathIn(request.locale, `/payment/sandbox/${gatewayReference}`)
      return { payUrl: siteUrl + page, gatewayReference }
    },
    async read(gatewayReference) {
      const payment = await asGateway(findSandboxPayment(database, gatewayReference))
      if (!payment) return null
      const isDue = payment.paysAt !== null && payment.paysAt.getTime() <= now()
      return {
        gatewayReference,
        reference: payment.orderReference,
        state: isDue ? 'paid' : payment.status,
        amount: payment.amount,
      }
    },
  }
}

/** How the buyer wants the payment to end. */
export type SandboxChoice = 'pay' | 'refuse' | 'later'

/** The sandbox's own record of a payment. */
export function findSandboxPayment({ kysely }: Database, reference: string) {
  return kysely
    .selectFrom('sandboxPayments')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst()
}

/** Stores the buyer's choice; a paid payment stays paid. */
export async function chooseInSandbox(
  { kysely }: Database,
  reference: string,
  choice: SandboxChoice,
  at: number,
): Promise<void> {
  await kysely
    .updateTable('sandboxPayments')
    .set(
      choice === 'later'
        ? { paysAt: new Date(at + SANDBOX_DELAY_MS) }
        : { status: choice === 'pay' ? 'paid' : 'refused' },
    )
    .where('reference', '=', reference)
    .where('status', '<>', 'paid')
    .execute()
}

/** The sandbox keeps its payments in our database; while that is unreachable, so is the sandbox. */
async function asGateway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw new GatewayError('the sandbox is out of reach', { cause: error })
  }
}
