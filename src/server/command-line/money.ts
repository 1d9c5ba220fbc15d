import { referencePrefix } from '../../rules/brand.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../rules/ledger.ts'
import { inDinars } from '../../rules/money.ts'
import { readableReference, referenceStart } from '../../rules/typed-numbers.ts'
import type { Deps } from '../deps.ts'
import {
  confirmManual,
  type DecidedTransfer,
  isLedgerSound,
  ledgerLines,
  referencesFrom,
  refundOrder,
  refuseManual,
} from '../money/money.ts'
import { readBrand } from '../site-texts/site-texts.ts'
import { checkLedgerAndNote } from '../waiting/waiting.ts'
import { type Command, EXIT, notA, type Outcome, readId, readText, refusal } from './command.ts'
import { money } from './print.ts'

const ABOUT_REFERENCES = 'The reference may be short, such as KR-1A2B-3C4D, or complete.'

/** What is decided about money by hand or by a script, and the check of the ledger. */
export const moneyCommands: readonly Command[] = [
  {
    name: 'confirm',
    usage: '<reference>',
    summary: 'Confirms that a transfer has arrived: pays its order or tops up the wallet.',
    details: [
      ABOUT_REFERENCES,
      'It also works after the transfer was refused or expired: late money counts.',
    ],
    makesLinks: true,
    run: (deps, { args }) => decideTransfer(deps, args[0] ?? '', confirmManual, 'Confirmed'),
  },
  {
    name: 'refuse',
    usage: '<reference>',
    summary: 'Refuses a transfer that will not arrive, and cancels its order.',
    details: [ABOUT_REFERENCES],
    makesLinks: true,
    run: (deps, { args }) => decideTransfer(deps, args[0] ?? '', refuseManual, 'Refused'),
  },
  {
    name: 'refund',
    usage: '<order> [document]',
    summary: 'Refunds a paid order, or one document of it, to the buyer’s wallet.',
    details: [
      'The buyer loses the documents, and the teachers lose their shares.',
      'Whatever was already refunded is not refunded again.',
    ],
    options: {
      reason: { type: 'string', about: 'the reason, shown in the log and in the wallet' },
    },
    makesLinks: true,
    async run(deps, { args, options }) {
      const orderId = readId(args[0], 'order')
      const documentId = args[1] === undefined ? undefined : readId(args[1], 'document')
      const { total, items } = await refundOrder(deps, {
        orderId,
        documentId,
        ...(options.reason !== undefined && {
          reason: readText('A reason', options.reason, STAFF_REASON_MAX_LENGTH),
        }),
      })
      return {
        lines: [
          `Refunded ${money(total)} of order ${orderId} to the buyer’s wallet:`,
          ...items.map((item) => `  ${item.documentId}  ${money(item.price)}  ${item.title}`),
        ],
        json: {
          orderId,
          total: inDinars(total),
          items: items.map(({ documentId: id, title, price }) => ({
            documentId: id,
            title,
            price: inDinars(price),
          })),
        },
      }
    },
  },
  {
    name: 'ledger check',
    usage: '',
    summary: 'Recomputes and compares the whole ledger; exit code 1 if anything is wrong.',
    details: ['The shop does this every day; the first page of the office shows the result.'],
    async run(deps) {
      const report = await checkLedgerAndNote(deps)
      const sound = isLedgerSound(report)
      return {
        exit: sound ? EXIT.done : EXIT.no,
        lines: ledgerLines(report),
        json: { sound, ...report },
      }
    },
  },
]

async function decideTransfer(
  deps: Deps,
  typed: string,
  decide: (deps: Deps, reference: string) => Promise<DecidedTransfer>,
  done: string,
): Promise<Outcome> {
  const start = referenceStart(typed)
  if (!start) throw notA('reference', typed, 'KR-1A2B-3C4D')
  const [reference, another] = await referencesFrom(deps.database.kysely, start)
  if (!reference) throw refusal(`There is no payment ${typed}.`)
  if (another) {
    throw refusal(
      `Several payments begin with ${typed}: give the whole reference, which call listTransfers shows.`,
    )
  }
  const payment = await decide(deps, reference)
  const shown = readableReference(reference, referencePrefix(await readBrand(deps.database.kysely)))
  const purpose = payment.orderId === null ? 'a top-up' : `order ${payment.orderId}`
  return {
    lines: [`${done} ${shown}: ${money(payment.amount)} for ${purpose}.`],
    json: {
      paymentRef: reference,
      state: payment.status,
      amount: inDinars(payment.amount),
      orderId: payment.orderId,
    },
  }
}
