// The public interface of money: the rest of the server imports only this file.

export { readBalance } from './earnings/balance.ts'
export { adjustWallet, openWallet, walletBalance } from './ledger.ts'
export { checkLedger, isLedgerSound, type LedgerReport, ledgerLines } from './ledger-check.ts'
export { type MergedMoney, type Merging, mergeMoney, previewMoney } from './merge-money.ts'
export { openPayments } from './open-payments.ts'
export { referencesFrom } from './payments.ts'
export { bookPayout } from './payouts/decide-payouts.ts'
export { bankAccountOf, requestPayout } from './payouts/payouts.ts'
export { purchase } from './purchase.ts'
export { refundItems, refundOrder } from './refunds.ts'
export { changeSetting, readSetting, settingHistory } from './settings.ts'
export { confirmManual, type DecidedTransfer, refuseManual } from './transfers.ts'
