// The public interface of money: the rest of the server imports only this file.

export { BY_COMMAND } from './acting.ts'
export {
  adjust,
  confirmAdjustment,
  readLeftAlone,
  refuseAdjustment,
  withdrawAdjustment,
} from './adjustments/adjust.ts'
export { listAdjustments, readAdjustment } from './adjustments/read-adjustments.ts'
export { readCustomerWallet } from './admin/customer-wallet.ts'
export { findOrder, findOrders, type OrderRow } from './admin/find-orders.ts'
export { listTransfers } from './admin/list-transfers.ts'
export { itemsOf } from './admin/order-detail.ts'
export { closeDay, readClosing } from './closings/close-day.ts'
export { askAboutPayment, bookDifference, closeDifference } from './differences/decide.ts'
export { listDifferences, readDifference } from './differences/read.ts'
export { readBalance } from './earnings/balance.ts'
export { adjustWallet, openWallet, walletBalance } from './ledger.ts'
export { checkLedger, isLedgerSound, type LedgerReport } from './ledger-check.ts'
export { ledgerLines } from './ledger-lines.ts'
export { type MergedMoney, type Merging, mergeMoney, previewMoney } from './merge-money.ts'
export { referencesFrom } from './payments.ts'
export { bankAccountOf } from './payouts/bank-accounts.ts'
export {
  bookPayout,
  recordPayout,
  refusePayout,
} from './payouts/decide-payouts.ts'
export { listPayouts } from './payouts/list-payouts.ts'
export { type Payout, requestPayout } from './payouts/payouts.ts'
export { purchase } from './purchase.ts'
export { numberReceipts } from './receipts.ts'
export { refundItems, refundOrder } from './refunds.ts'
export {
  changeSetting,
  readSetting,
  type SettingName,
  settingHistory,
  settingsOfTeachers,
} from './settings.ts'
export { confirmManual, type DecidedTransfer, refuseManual } from './transfers.ts'
