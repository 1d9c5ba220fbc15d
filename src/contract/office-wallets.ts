import * as s from 'superstruct'
import { ADJUSTMENT_MAX, STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { defineCall } from './call.ts'
import { HistoryEntry } from './history-entry.ts'
import { Contact } from './office-transfers.ts'
import { byId, checked, dinarAmount, id, pageOf, pageQuery, signedDinars, text } from './values.ts'

/** A movement of a customer's wallet; with the reason and the staff if they made it. */
export const WalletMovement = s.type({
  ...HistoryEntry.schema,
  note: s.string(),
  /** The staff who made and confirmed it; '' if none did. */
  by: s.string(),
})
export type WalletMovement = s.Infer<typeof WalletMovement>

/** A customer's wallet with a page of its movements, newest first. */
export const getCustomerWallet = defineCall('GET /office/admin/wallets/:id', 'admin', {
  params: byId,
  query: s.object(pageQuery),
  result: s.type({
    ...pageOf(WalletMovement).schema,
    customer: Contact,
    balance: dinarAmount(),
    /** What the caller may adjust alone now, of all wallets. */
    leftAlone: dinarAmount(),
  }),
  errors: ['user_not_found'],
})

/**
 * Adjusts a wallet; above the sum that one administrator may adjust alone within a day, over all
 * wallets together, a second one has to confirm.
 */
export const adjustWallet = defineCall('POST /office/admin/adjustments', 'admin', {
  idempotent: true,
  body: s.object({
    userId: id(),
    amount: checked(signedDinars(), (amount) => {
      if (amount === 0) return 'required'
      return Math.abs(amount) <= ADJUSTMENT_MAX ? null : 'max'
    }),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
  }),
  result: s.type({
    /** The act that waits for a second administrator; null: it is made. */
    waits: s.nullable(id()),
  }),
  errors: ['user_not_found', 'wallet_too_low'],
})
