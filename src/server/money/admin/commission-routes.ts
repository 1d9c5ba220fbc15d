import * as calls from '../../../contract/office-commissions.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { pageOf } from '../../http/page-of.ts'
import { type Route, route } from '../../http/route.ts'
import { changeSetting } from '../settings.ts'
import { listTeacherShares, readCommissions } from './read-commissions.ts'

/** The calls that read and set the shares of a sale: the general one, and each teacher's. */
export const commissionRoutes: Route[] = [
  route(calls.getCommissions, ({ deps }) => readCommissions(deps.database.kysely)),

  route(calls.listTeacherShares, async ({ input: { query }, deps }) => {
    const { q, page = 0, size = PAGE_SIZE } = query
    const { teachers, total } = await listTeacherShares(deps.database.kysely, { q, page, size })
    return pageOf(teachers, { total, page, size })
  }),

  route(calls.setCommission, async ({ input: { body }, user, deps }) => {
    const { percent: value, ...given } = body
    await changeSetting(deps, {
      name: 'share_percent',
      value,
      ...given,
      actor: user.actor,
    })
    return readCommissions(deps.database.kysely)
  }),
]
