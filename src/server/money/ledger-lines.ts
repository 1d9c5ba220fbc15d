import { bareAmount } from '../../i18n/format.ts'
import { isLedgerSound, type LedgerReport } from './ledger-check.ts'

const LABELS: Readonly<Record<Exclude<keyof LedgerReport, 'transactions' | 'entries'>, string>> = {
  unbalanced: 'Transactions that do not sum to zero',
  wrongBalances: 'Wallets whose balance is not the sum of their entries',
  wrongOrders: 'Paid orders whose total is not what the ledger took',
  wrongPayments: 'Payments that are paid and not booked, or booked and not paid',
  wrongGrants: 'Documents granted without a paid order',
  wrongRefunds: 'Orders whose refunded items are not what the ledger refunded',
  wrongShares: 'Orders whose items are shared otherwise than in the ledger',
  wrongPayouts: 'Payouts that are paid and not booked, or booked and not paid',
  wrongAdjustments: 'Adjustments that are made and not booked, or booked and not made',
  wrongReceipts: 'Receipt numbers that are missing or of unpaid orders',
}

/** A wrong record in words, such as `account 12, balance 5.00 TND, sum 4.00 TND`. */
function described(record: Readonly<Record<string, number>>): string {
  return Object.entries(record)
    .map(([name, value]) => {
      const words = name
        .replace(/Id$/, '')
        .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      return `${words} ${name === 'sum' || name === 'balance' ? bareAmount('en', value) : value}`
    })
    .join(', ')
}

/** The report as lines for people. */
export function ledgerLines(report: LedgerReport): string[] {
  const { transactions, entries, ...wrong } = report
  const counts = `${counted(transactions, 'transaction', 'transactions')}, ${counted(entries, 'entry', 'entries')}`
  if (isLedgerSound(report)) return [`The ledger is sound: ${counts}.`]
  const found = Object.entries(LABELS).flatMap(([name, label]) => {
    const list = wrong[name as keyof typeof wrong]
    return list.length === 0 ? [] : [`${label}: ${list.map(described).join('; ')}`]
  })
  return [`The ledger is WRONG: ${counts}.`, ...found]
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
