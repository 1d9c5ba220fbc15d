import { sql } from 'kysely'
import * as contract from '../../contract/office-desk.ts'
import { transaction } from '../database/transaction.ts'
import { type Route, route } from '../http/route.ts'
import { placeOf, readMailState, sendTestMail } from '../mail/mail.ts'
import { readTexts, senderAddress } from '../site-texts/site-texts.ts'
import { logStaff } from '../staff-log/staff-log.ts'
import { readNotices, switchNotice } from './notices.ts'

export const noticeRoutes: Route[] = [
  route(contract.getMailPlace, async ({ deps }) => placeOf(deps.mail)),

  route(contract.getNotices, ({ deps }) => readNotices(deps)),

  route(contract.setNotice, async ({ input: { body }, user, deps }) => {
    await switchNotice(deps, { ...body, actor: user.actor })
    return await readNotices(deps)
  }),

  route(contract.sendTestMail, async ({ user, deps, limits }) => {
    await limits.count('testMail', user.id)
    const { kysely } = deps.database
    const { email, locale } = await kysely
      .selectFrom('users')
      .select((row) => [row.fn.coalesce('email', sql<string>`''`).as('email'), 'locale'])
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    await transaction(deps.database, (tx) =>
      logStaff(tx, { actor: user.actor, action: 'send test mail', subject: { kind: 'shop' } }),
    )
    const problem = await sendTestMail(deps, {
      to: email,
      locale,
      texts: await readTexts(kysely),
      from: await senderAddress(deps),
    })
    return { to: email, problem, mail: await readMailState(deps) }
  }),
]
