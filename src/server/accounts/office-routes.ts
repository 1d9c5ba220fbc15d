import { getStaff } from '../../contract/office-access.ts'
import { lacksSecondFactor } from '../http/policies.ts'
import { type Route, route } from '../http/route.ts'

/** How staff come into the office. */
export const officeAccessRoutes: Route[] = [
  route(getStaff, async ({ user, deps }) => {
    const { firstName, lastName, email } = await deps.database.kysely
      .selectFrom('users')
      .select(['firstName', 'lastName', 'email'])
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    return {
      userId: user.id,
      role: user.role === 'ADMIN' ? ('ADMIN' as const) : ('TEACHER' as const),
      name: `${firstName} ${lastName}`.trim(),
      email,
      teacherId: user.teacherId,
      lacksSecondFactor: lacksSecondFactor(user, deps.config),
    }
  }),
]
