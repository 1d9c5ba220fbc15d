// The face of money: the rest of the server uses only this.

export { findOrder, findOrders, type OrderRow } from './admin/find-orders.ts'
export { listTransfers } from './admin/list-transfers.ts'
export { itemsOf } from './admin/order-detail.ts'
export { readBalance } from './earnings/balance.ts'
export { openGateway } from './gateways/open-gateway.ts'
export { adjustWallet, openWallet, walletBalance } from './ledger.ts'
export { checkLedger, isLedgerSound, type LedgerReport } from './ledger-check.ts'
export { type MergedMoney, type Merging, mergeMoney, previewMoney } from './merge-money.ts'
export { bankAccountOf } from './payouts/bank-accounts.ts'
export {
  bookPayout,
  recordPayout,
  refusePayout,
} from './payouts/decide-payouts.ts'
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
