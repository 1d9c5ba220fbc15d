import { ACCOUNT_REASON_MAX_LENGTH } from '../../contract/office-people.ts'
import { inDinars } from '../../rules/money.ts'
import { mergeAccounts, previewMerge } from '../people/people.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, readText, wrongUsage } from './command.ts'
import { findUser } from './find-users.ts'
import { counted, money } from './print.ts'

export const mergeCommands: readonly Command[] = [
  {
    name: 'merge',
    usage: '<from> <into>',
    summary: 'Moves all that one customer’s account has into another of the family, and closes it.',
    details: [
      'merge old@mail.example amal@mail.example                       shows what would move',
      'merge old@mail.example amal@mail.example --reason "Two by mistake"  does it; it cannot be undone',
      'Wallet, orders, payments, documents, ratings, wishes, cart and conversations move. Where both',
      'rated the same thing, the staying account’s rating stays; where both bought a document, one grant.',
    ],
    options: { reason: { type: 'string', about: 'why; without it nothing is moved' } },
    async run(deps, { args: [from = '', into = ''], options }) {
      const gone = await findUser(deps, from)
      const kept = await findUser(deps, into)
      if (gone.id === kept.id) throw wrongUsage('Both are the same account.')
      const ids = { fromId: gone.id, intoId: kept.id }
      const isDone = options.reason !== undefined
      const moved = isDone
        ? await mergeAccounts(deps, {
            ...ids,
            actor: COMMAND_LINE,
            reason: readText('--reason', options.reason, ACCOUNT_REASON_MAX_LENGTH),
          })
        : await previewMerge(deps.database, ids)
      const { balance, orders, openPayments, documents, duplicates, ...others } = moved
      const verb = isDone ? 'was merged into' : 'would be merged into'
      return {
        lines: [
          `${gone.email} ${verb} ${kept.email}:`,
          `  ${money(balance)}, ${counted(orders, 'order')}, ${counted(openPayments, 'open payment')}, ${counted(documents, 'document')}`,
          `  ${others.ratings} ratings (${others.droppedRatings} dropped), ${others.conversations} conversations`,
          ...duplicates.map(
            ({ id, title, price }) => `  both have ${id}, for ${money(price)} at least: ${title}`,
          ),
          ...(isDone ? [] : ['Nothing was moved; give --reason "…" to do it.']),
        ],
        json: {
          ...ids,
          isDone,
          balance: inDinars(balance),
          orders,
          openPayments,
          documents,
          duplicates: duplicates.map((each) => ({ ...each, price: inDinars(each.price) })),
          ratings: others.ratings,
          droppedRatings: others.droppedRatings,
          conversations: others.conversations,
        },
      }
    },
  },
]
