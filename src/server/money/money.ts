export { type Acting, act, actingOf, BY_COMMAND } from './acting.ts'
export { adjustmentAct } from './admin/adjustments.ts'
export { newestOrders } from './admin/orders.ts'
export { discountAct } from './codes/manage.ts'
export { readBalance } from './earnings/balance.ts'
export { salesOf } from './earnings/earned.ts'
export { presentPerson } from './find-people.ts'
export { adjustWallet, openWallet, walletBalance } from './ledger.ts'
export { checkLedger, isLedgerSound, type LedgerReport, ledgerLines } from './ledger-check.ts'
export {
  lockWallets,
  type MergedMoney,
  type Merging,
  type MergingWallets,
  mergeMoney,
  previewMoney,
} from './merge-money.ts'
export { openPayments } from './open-payments.ts'
export { paymentsFrom, referencesFrom } from './payments.ts'
export { approvePayoutAct, bookPayout } from './payouts/decide-payouts.ts'
export {
  bankAccountOf,
  cancelPayout,
  holdPayouts,
  keepBankAccount,
  payoutsOf,
  payoutsWaitUntil,
  presentPayout,
  requestPayout,
} from './payouts/payouts.ts'
export { purchase } from './purchase.ts'
export { refundAct, refundItems, refundOrder } from './refunds.ts'
export { emptyWallet, lockMoney } from './returns.ts'
export { changeSetting, readSetting, settingHistory } from './settings.ts'
export {
  confirmManual,
  confirmTransferAct,
  type DecidedTransfer,
  refuseManual,
} from './transfers.ts'
export {
  type ActInputs,
  confirmAct,
  type Executors,
  endWaiting,
  isWaiting,
  listActs,
  lockActs,
  propose,
  raisedBy,
  readAct,
  refuseAct,
  spendAllowed,
  sumsByActor,
  withdrawAct,
} from './two-people/acts.ts'
export { boundAct, readBounds, setBound } from './two-people/bounds.ts'
