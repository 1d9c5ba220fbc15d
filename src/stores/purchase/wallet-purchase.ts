import type { PurchaseResult } from '../../contract/wallet.ts'
import type { Millimes } from '../../rules/money.ts'
import { clearPaid, syncCart, takePrices } from '../cart/server-cart.ts'
import { loadOwned, rememberOwned } from '../library/owned.ts'
import { endIntent, type Intent, openIntents, withIntent } from '../payment/intents.ts'
import type { PayingStore } from '../payment/paying.ts'
import { ask } from '../shared/backend.ts'
import { leaveNotice } from '../shared/page-notices.ts'
import { problemOf } from '../shared/problem.ts'
import { settle } from '../shared/settle.ts'
import { loadBalance } from '../wallet/wallet.ts'
import { dropCode } from './code.ts'
import { consentNow } from './consent.ts'
import { linkNow } from './link.ts'
import { loadOrdered } from './ordered.ts'

interface WalletPurchase {
  purpose: 'purchase' | 'wallet_pay'
  call: 'createAndPay' | 'payFromWallet'
  userId: number
  /** Ascending, so that the same documents are the same intent. */
  documentIds: number[]
  /** The bundles of which they are bought. */
  bundleIds?: number[]
  /** The sum that the buyer was shown; the server charges that or nothing. */
  total: Millimes
  /** The code in that sum. */
  code?: string | undefined
  onFailure: (error: unknown) => Promise<void> | void
}

/** The part of a stored intent's body by which it is recognised. */
export interface WalletBody {
  documentIds: number[]
  total?: Millimes
  code?: string
}

/** Pays for documents from the wallet; `paying` holds the state. */
export async function payFromWallet(
  paying: Pick<PayingStore, 'finish'>,
  { purpose, call, userId, documentIds, bundleIds = [], total, code, onFailure }: WalletPurchase,
): Promise<void> {
  const about = documentIds.join()
  // Another total or code is another body, which the server refuses with the earlier key. Documents that
  // this key may have bought are owned by now, and not charged again.
  for (const open of openIntents(purpose, userId) as Intent<WalletBody>[]) {
    const isOther = open.body.total !== total || open.body.code !== code
    if (open.about === about && isOther) endIntent(open)
  }
  const body = {
    userId,
    documentIds,
    ...(bundleIds.length > 0 && { bundleIds }),
    total,
    ...(code && { code }),
    ...consentNow(),
    ...linkNow(),
  }
  const wanted = { purpose, userId, about, body }
  try {
    const result = await withIntent(wanted, (body, options) =>
      ask(({ wallet }) => wallet[call], { body }, options),
    )
    dropCode(code)
    await finishPurchase(paying, documentIds, result)
  } catch (error) {
    await onFailure(error)
    void loadBalance()
  }
}

/**
 * Called once documents are bought: stores a notice for "my documents", the next page, and updates
 * the cart, the balance and the list of owned documents.
 */
export async function finishPurchase(
  paying: Pick<PayingStore, 'finish'>,
  documentIds: readonly number[],
  { status, excludedDocuments }: PurchaseResult,
): Promise<void> {
  const left = status === 'SUCCESS' ? [] : excludedDocuments
  const titles = left.map(({ title }) => title)
  const ids = documentIds.filter((each) => !left.some(({ id }) => id === each))
  leaveNotice(
    status === 'SUCCESS' ? { kind: 'purchased', ids } : { kind: 'partly_purchased', ids, titles },
  )
  await paying.finish(titles, () => settle([clearPaid(documentIds), loadBalance(), loadOwned()]))
}

/**
 * Reloads what the page shows, since a refusal may mean that it is outdated, before the next try.
 */
export function refreshAfter(error: unknown): void {
  const { code, prices } = problemOf(error)
  if (code === 'already_owned' || code === 'nothing_to_pay') void loadOwned()
  if (code === 'already_ordered' || code === 'nothing_to_pay') void loadOrdered()
  if (prices) {
    takePrices(prices.documents)
    rememberOwned(prices.documents)
  } else if (code === 'price_changed' || code === 'document_not_found') void syncCart()
}
