import { ACCOUNT_REASON_MAX_LENGTH, PERSON_FILTERS } from '../../contract/office-people.ts'
import { inDinars } from '../../rules/money.ts'
import { ROLES } from '../../rules/roles.ts'
import { blockUser, endAllSessions, sendResetLink, unblockUser } from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { walletBalance } from '../money/money.ts'
import { findPeople, nameOf, type PersonRow, stateOf } from '../people/people.ts'
import { COMMAND_LINE, userSubject } from '../staff-log/staff-log.ts'
import {
  type Command,
  type Outcome,
  readChoice,
  readId,
  readText,
  refusal,
  wrongUsage,
} from './command.ts'
import { findUser, presentUser } from './find-users.ts'
import { MAILED } from './invitations.ts'
import { counted, moment, money, table } from './print.ts'

const USERS_LISTED = 50
const ORDERS_SHOWN = 10

export const userCommands: readonly Command[] = [
  {
    name: 'users',
    usage: '[search]',
    summary: `Lists accounts, newest first, ${USERS_LISTED} at a time; or those that a search finds.`,
    details: [
      'The search compares the beginnings of words in the name, in Arabic or Latin letters, the e-mail,',
      'the phone number and the id.',
    ],
    options: {
      role: { type: 'string', about: `only ${ROLES.join(', ')}` },
      state: { type: 'string', about: `only ${PERSON_FILTERS.join(', ')}` },
      page: { type: 'string', about: 'the next ones: 2, 3 …' },
    },
    async run(deps, { args: [search], options }) {
      const role = readChoice('--role', options.role, ROLES)
      const page = options.page === undefined ? 1 : readId(String(options.page), 'page')
      const state = readChoice('--state', options.state, PERSON_FILTERS)
      const { rows: users, total } = await findPeople(deps.database, {
        ...(search && { q: search }),
        ...(role && { role }),
        ...(state && { state }),
        page: page - 1,
        size: USERS_LISTED,
      })
      const accounts = table('There are no such accounts.', users, {
        user: ({ id }) => id,
        role: ({ role: own }) => own,
        state: stateOf,
        since: ({ createdAt }) => moment(createdAt),
        phone: ({ phone }) => phone,
        'e-mail': ({ email }) => email,
        name: nameOf,
      })
      const pages = Math.ceil(total / USERS_LISTED)
      return {
        lines: [
          ...accounts,
          ...(pages > 1 ? [`Page ${page} of ${pages}, ${total} accounts; --page for others.`] : []),
        ],
        json: { total, page, pages, users: users.map(presentUser) },
      }
    },
  },
  {
    name: 'user',
    usage: '<e-mail|id> [block|unblock|end-sessions|password-link]',
    summary: 'Shows an account; or blocks or unblocks it, logs it out, mails a password link.',
    details: [
      'user amal@mail.example                                  the account, its orders and what staff did to it',
      'user amal@mail.example block --reason "Insults in chat" ends all its log-ins at once; its money stays',
      'user amal@mail.example unblock                          it may log in again',
      'user amal@mail.example end-sessions                     logs it out everywhere',
      'user amal@mail.example password-link                    mails it a link that sets a new password',
    ],
    options: { reason: { type: 'string', about: 'why; required to block' } },
    async run(deps, { args: [typed = '', action], options }) {
      const user = await findUser(deps, typed)
      const reason =
        options.reason === undefined
          ? null
          : readText('--reason', options.reason, ACCOUNT_REASON_MAX_LENGTH)
      if (action === undefined) return show(deps, user)
      const by = { userId: user.id, actor: COMMAND_LINE }
      if (action === 'end-sessions') {
        await endAllSessions(deps, user.id, COMMAND_LINE)
        return { lines: [`${user.email} is logged out everywhere.`], json: presentUser(user) }
      }
      if (action === 'password-link') {
        await sendResetLink(deps, by)
        return { lines: [MAILED], json: presentUser(user) }
      }
      if (action !== 'block' && action !== 'unblock') {
        throw wrongUsage(`"${action}" is neither block, unblock, end-sessions nor password-link.`)
      }
      if (action === 'block' && reason === null) {
        throw wrongUsage('To block takes --reason "…".')
      }
      const change = action === 'block' ? blockUser : unblockUser
      const isDone = await change(deps, { ...by, reason })
      if (!isDone) {
        const state = action === 'block' ? 'is blocked already' : 'is not blocked'
        throw refusal(`${user.email} ${state}.`)
      }
      const done = action === 'block' ? 'is blocked, and logged out everywhere' : 'may log in again'
      return {
        lines: [`${user.email} ${done}.`],
        json: presentUser(await findUser(deps, String(user.id))),
      }
    },
  },
]

async function show(deps: Deps, user: PersonRow): Promise<Outcome> {
  const { kysely } = deps.database
  const orders = await kysely
    .selectFrom('orders')
    .select(['id', 'status', 'method', 'total', 'createdAt'])
    .where('buyerId', '=', user.id)
    .orderBy('id', 'desc')
    .limit(ORDERS_SHOWN)
    .execute()
  const { owned } = await kysely
    .selectFrom('purchases')
    .select(({ fn }) => fn.countAll<number>().as('owned'))
    .where('userId', '=', user.id)
    .executeTakeFirstOrThrow()
  const log = await kysely
    .selectFrom('staffLog')
    .select(['madeAt', 'actor', 'action', 'reason'])
    .where('subject', '=', userSubject(user.id))
    .orderBy('id')
    .execute()
  const balance = user.role === 'PARENT' ? await walletBalance(kysely, user.id) : null
  const bought = table('', orders, {
    order: ({ id }) => id,
    status: ({ status }) => status,
    method: ({ method }) => method,
    total: ({ total }) => money(total),
    since: ({ createdAt }) => moment(createdAt),
  })
  return {
    lines: [
      `User ${user.id}: ${user.role}, ${stateOf(user)}, since ${moment(user.createdAt)}`,
      `${nameOf(user)} <${user.email}> ${user.phone ?? ''}`.trimEnd(),
      ...(balance === null ? [] : [`Balance ${money(balance)}, ${counted(owned, 'document')}`]),
      ...(orders.length > 0 ? ['', ...bought] : []),
      ...(log.length > 0 ? ['', 'What staff did:'] : []),
      ...log.map(
        ({ madeAt, actor, action, reason }) =>
          `  ${moment(madeAt)}  ${action} (${actor})${reason === null ? '' : `: ${reason}`}`,
      ),
    ],
    json: {
      ...presentUser(user),
      balance: balance === null ? null : inDinars(balance),
      documents: Number(owned),
      orders: orders.map((order) => ({ ...order, total: inDinars(order.total) })),
      log,
    },
  }
}
