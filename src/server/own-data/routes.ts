import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import * as contract from '../../contract/own-account.ts'
import {
  endLogIn,
  endOtherLogIns,
  listLogIns,
  readContactChange,
  requireProof,
} from '../accounts/accounts.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { originOf, type Route, route, type User } from '../http/route.ts'
import { actingOf, walletBalance } from '../money/money.ts'
import { logSight, logStaff, userSubject } from '../staff-log/staff-log.ts'
import {
  askForDeletion,
  askForDeletionOf,
  keepAccount,
  lockAccount,
  returnMoney,
} from './deletions.ts'
import { askForExport, openExport, readLeaving } from './exports.ts'

/** What a person may ask of the shop about themselves: docs/shop/accounts.md, "One's own data". */
export const ownDataRoutes: Route[] = [
  route(contract.getOwnAccount, async ({ user, deps }) => ({
    ...(await readAccount(deps, user)),
    logIns: await listLogIns(deps, user),
    ...(await readLeaving(deps, user.id)),
    contactChange: await readContactChange(deps, user.id),
  })),
  route(contract.endLogIn, ({ input, user, deps }) => endLogIn(deps, user.id, input.params.id)),
  route(contract.endOtherLogIns, async ({ user, deps, reply }) => ({
    accessToken: await endOtherLogIns(deps, user, originOf(reply)),
  })),

  route(contract.askForExport, ({ user, deps }) =>
    transaction(deps.database, (tx) => askForExport(tx, deps, user.id)),
  ),
  route(contract.downloadExport, async ({ user, deps, reply }) =>
    sendZip(reply, await openExport(deps, user.id)),
  ),
  route(contract.askForDeletion, async ({ input, user, deps, limits }) => {
    const { account, givesUpMoney: givesUp, ...proof } = input.body
    await requireProof(deps, limits, user.id, proof)
    const asked = { userId: user.id, actor: user.actor, money: { account, givesUp } }
    await transaction(deps.database, (tx) => askForDeletion(tx, deps, asked))
  }),
  route(contract.keepAccount, ({ user, deps }) =>
    transaction(deps.database, (tx) => keepAccount(tx, deps, user.id, user.actor)),
  ),

  route(contract.askForExportOf, ({ input, user, deps }) =>
    transaction(deps.database, async (tx) => {
      const { id } = input.params
      await lockAccount(tx, id)
      await askForExport(tx, deps, id)
      await logStaff(tx, { actor: user.actor, action: 'export data', subject: userSubject(id) })
    }),
  ),
  route(contract.downloadExportOf, async ({ input, user, deps, reply }) => {
    const { id } = input.params
    const file = await openExport(deps, id)
    await logSight(deps, user.actor, id)
    return sendZip(reply, file)
  }),
  route(contract.askForDeletionOf, async ({ input, user, key, deps }) => {
    const { account, givesUpMoney: givesUp, reason = '' } = input.body
    const acting = actingOf(contract.askForDeletionOf, { user, key, input })
    const asked = { userId: input.params.id, money: { account, givesUp }, reason }
    return { waits: await askForDeletionOf(deps, asked, acting) }
  }),
  route(contract.keepAccountOf, ({ input, user, deps }) =>
    transaction(deps.database, (tx) => keepAccount(tx, deps, input.params.id, user.actor)),
  ),
  route(contract.returnMoney, async ({ input, user, key, deps }) => {
    const acting = actingOf(contract.returnMoney, { user, key, input })
    return { waits: await returnMoney(deps, { userId: input.params.id, ...input.body }, acting) }
  }),
]

function sendZip(reply: FastifyReply, file: Readable): FastifyReply {
  return reply
    .headers({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="my-data.zip"',
      'cache-control': 'private, no-store',
    })
    .send(file)
}

async function readAccount({ database: { kysely } }: Pick<Deps, 'database'>, { id, role }: User) {
  const { createdAt, emailConfirmedAt, factor, ...account } = await kysely
    .selectFrom('users')
    .select(['username', 'firstName', 'lastName', 'phone', 'email', 'locale as language'])
    .select(['wantsNews', 'createdAt', 'emailConfirmedAt'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('secondFactors').select('userId').where('userId', '=', id)).as('factor'),
    )
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<contract.OwnAccount['kept']>`
    SELECT
      (SELECT count(*)::integer FROM purchases WHERE user_id = ${id}) AS documents,
      (SELECT count(*)::integer FROM orders WHERE buyer_id = ${id}) AS orders,
      (SELECT count(*)::integer FROM ratings
        WHERE user_id = ${id} AND withdrawn_at IS NULL) AS ratings,
      (SELECT count(*)::integer FROM wishlist_items WHERE user_id = ${id}) AS wishes,
      (SELECT count(*)::integer FROM shelves WHERE user_id = ${id}) AS shelves,
      (SELECT count(*)::integer FROM exam_marks WHERE user_id = ${id}) AS marks,
      (SELECT count(*)::integer FROM chat_rooms
        WHERE customer_id = ${id} AND last_message_id IS NOT NULL) AS conversations`.execute(kysely)
  return {
    ...account,
    since: createdAt.toISOString(),
    isEmailConfirmed: emailConfirmedAt !== null,
    hasSecondFactor: Boolean(factor),
    kept: rows[0] as contract.OwnAccount['kept'],
    balance: role === 'PARENT' ? await walletBalance(kysely, id) : null,
  }
}
