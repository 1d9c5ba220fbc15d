// The face of money: the rest of the server uses only this.

export { readBalance } from './earnings/balance.ts'
export { openGateway } from './gateways/open-gateway.ts'
export { adjustWallet, openWallet, walletBalance } from './ledger.ts'
export { checkLedger, isLedgerSound, type LedgerReport } from './ledger-check.ts'
export { type MergedMoney, type Merging, mergeMoney, previewMoney } from './merge-money.ts'
export type { Payment } from './payments.ts'
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
export { confirmManual, refuseManual } from './transfers.ts'
