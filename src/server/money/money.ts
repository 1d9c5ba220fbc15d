// The face of money: the rest of the server uses only this.

export { openGateway } from './gateways/open-gateway.ts'
export { adjustWallet, openWallet, walletBalance } from './ledger.ts'
export { checkLedger, isLedgerSound, type LedgerReport } from './ledger-check.ts'
export type { Payment } from './payments.ts'
export { purchase } from './purchase.ts'
export { numberReceipts } from './receipts.ts'
export { RefundRefused, refundOrder } from './refunds.ts'
export { confirmManual, ManualRefused, refuseManual } from './transfers.ts'
