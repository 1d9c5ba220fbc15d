import { referencePrefix } from '../../rules/brand.ts'
import type { Millimes } from '../../rules/money.ts'
import type { StaffActionName } from '../../rules/office-actions.ts'
import { readableReference } from '../../rules/typed-numbers.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { readBrand } from '../site-texts/site-texts.ts'
import { doneBefore, logStaff } from '../staff-log/staff-log.ts'
import { type Acting, act, BY_COMMAND } from './acting.ts'
import { credit } from './credit.ts'
import { lockWalletOf } from './ledger.ts'
import type { Payment } from './payments.ts'
import { type SoldItem, tagsOfSale } from './sale.ts'
import { closePayment } from './settle.ts'
import { type Executors, propose } from './two-people/acts.ts'

/** A decision of staff about a transfer. */
interface TransferDecision extends Acting {
  /** The state that the staff member was shown; a decision about another state is refused. */
  readonly seen?: Payment['status']
  /** The proof that the money has come. */
  readonly reason?: string
}

/** A transfer after the decision. */
export type DecidedTransfer = Pick<Payment, 'reference' | 'status' | 'amount' | 'orderId'> & {
  /** The act that waits for a second; null: it is decided. */
  readonly waits: number | null
}

const CONFIRM = 'confirm transfer'
const REFUSE = 'refuse transfer'

export const paymentSubject = (reference: string) => ({ kind: `payment ${reference}` })

/**
 * Confirms that the money of a bank transfer or a D17 payment has arrived, and books it like a gateway's, even
 * if the payment was refused or has expired; above the bound, once a second has confirmed. Throws `payment_not_found`, `payment_at_gateway`, and
 * `done_before` or `payment_decided` where the payment was confirmed before or is not in the state `seen`.
 */
export async function confirmManual(
  deps: Deps,
  reference: string,
  decision: TransferDecision = BY_COMMAND,
): Promise<DecidedTransfer> {
  let sold: readonly SoldItem[] = []
  const confirmed = await act(deps, decision, async (tx) => {
    const payment = await findManual(tx, reference)
    if (payment.status === 'paid' || hasChanged(payment, decision)) {
      throw await decidedBefore(tx, payment)
    }
    const waits = await propose(tx, deps, decision, {
      kind: 'transfer',
      subject: reference,
      userId: payment.userId,
      amount: await movedBy(tx, payment),
      reason: decision.reason ?? '',
      input: { reference, seen: payment.status },
      detail: readableReference(reference, referencePrefix(await readBrand(tx))),
    })
    if (waits !== null) return { ...decided(payment), waits }
    const credited = await creditManual(tx, deps, { reference, ...decision })
    sold = credited.sold
    return decided(credited.payment)
  })
  if (sold.length > 0) deps.publisher.changedSoon(tagsOfSale(sold))
  return confirmed
}

/** What a payment brings, with what codes of the shop pay for its order: late money settles it however often it ended. */
async function movedBy(tx: Tx, { amount, orderId }: Payment): Promise<Millimes> {
  const { off } = await tx
    .selectFrom('orderItems')
    .select((of) => of.fn.coalesce(of.fn.sum<Millimes>('codeOff'), of.lit(0)).as('off'))
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  return amount + Number(off)
}

/** Books what a second has confirmed, unless somebody has decided about it otherwise meanwhile. */
export function confirmTransferAct(deps: Deps): Executors['transfer'] {
  return async (tx, { input: { reference, seen }, decider, amount }) => {
    const payment = await lockManual(tx, reference)
    const isLate = seen === 'pending' && payment.status === 'expired'
    if ((payment.status !== seen && !isLate) || (await movedBy(tx, payment)) !== amount) {
      throw payment.status === 'paid' ? await decidedBefore(tx, payment) : fault('act_changed')
    }
    const { sold } = await creditManual(tx, deps, { reference, actor: decider })
    return () => {
      if (sold.length > 0) deps.publisher.changedSoon(tagsOfSale(sold))
    }
  }
}

async function creditManual(
  tx: Tx,
  deps: Deps,
  { reference, ...decision }: TransferDecision & { reference: string },
) {
  const payment = await lockManual(tx, reference)
  if (payment.status === 'paid' || hasChanged(payment, decision)) {
    throw await decidedBefore(tx, payment)
  }
  const credited = await credit(tx, deps, payment.id)
  if (!credited) throw await decidedBefore(tx, payment)
  await log(tx, decision, CONFIRM, reference)
  return credited
}

/**
 * Refuses a transfer whose money will not come, and cancels its order unless another payment of it is
 * pending. Throws as `confirmManual` does.
 */
export function refuseManual(
  deps: Deps,
  reference: string,
  decision: TransferDecision = BY_COMMAND,
): Promise<DecidedTransfer> {
  return act(deps, decision, async (tx) => {
    const payment = await lockManual(tx, reference)
    if (hasChanged(payment, decision)) throw await decidedBefore(tx, payment)
    const refused = await closePayment(tx, deps, payment.id, 'refused')
    if (!refused) throw await decidedBefore(tx, payment)
    if (refused.orderId !== null) await cancelUnpaid(tx, refused.orderId)
    await log(tx, decision, REFUSE, reference)
    return decided(refused)
  })
}

const hasChanged = ({ status }: Payment, { seen }: TransferDecision) =>
  seen !== undefined && status !== seen

const decided = ({ reference, status, amount, orderId }: Payment): DecidedTransfer => ({
  reference,
  status,
  amount,
  orderId,
  waits: null,
})

const log = (tx: Tx, { actor }: Acting, action: StaffActionName, reference: string) =>
  logStaff(tx, { actor, action, subject: paymentSubject(reference) })

async function decidedBefore(tx: Tx, { reference, status }: Payment): Promise<ApiFault> {
  const message =
    status === 'paid'
      ? `Payment ${reference} was confirmed before; what it paid can be refunded.`
      : `Payment ${reference} is ${status} already.`
  const first = await doneBefore(tx, {
    subject: paymentSubject(reference),
    actions: [CONFIRM, REFUSE],
  })
  return fault(first?.code ?? 'payment_decided', { ...first?.extra, message })
}

/** Locks the payer's wallet and the payment, in this order. */
async function lockManual(tx: Tx, reference: string): Promise<Payment> {
  const payments = tx.selectFrom('payments').selectAll().where('reference', '=', reference)
  await findManual(tx, reference)
  await lockWalletOf(tx, async () => (await payments.executeTakeFirstOrThrow()).userId)
  return payments.forUpdate().executeTakeFirstOrThrow()
}

async function findManual(tx: Tx, reference: string): Promise<Payment> {
  const payment = await tx
    .selectFrom('payments')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!payment) {
    throw fault('payment_not_found', { message: `There is no payment ${reference}.` })
  }
  if (payment.provider !== 'manual') {
    const message = `Payment ${reference} is made at the gateway, which alone says whether it was paid.`
    throw fault('payment_at_gateway', { message })
  }
  return payment
}

async function cancelUnpaid(tx: Tx, orderId: number): Promise<void> {
  await tx
    .updateTable('orders')
    .set({ status: 'cancelled' })
    .where('id', '=', orderId)
    .where('status', '=', 'pending')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('payments')
            .select('id')
            .where('payments.orderId', '=', orderId)
            .where('payments.status', '=', 'pending'),
        ),
      ),
    )
    .execute()
}
