import type { AnyCall, Caller } from '../../contract/call.ts'
import { STAFF_ROLES } from '../../rules/roles.ts'
import { type Config, realBecause } from '../config/config.ts'
import type { AccountRole } from '../database/schema.ts'
import { fault } from './errors.ts'
import { type Identity, requireUser } from './identity.ts'
import type { User } from './route.ts'

const ROLES: Record<Exclude<Caller, 'anyone' | 'user'>, readonly AccountRole[]> = {
  staff: STAFF_ROLES,
  teacher: ['TEACHER'],
  admin: ['ADMIN'],
}

/**
 * The caller, if the policy of the call admits them; otherwise throws 401 or 403. On an `anyone`
 * call an invalid token counts as none.
 */
export function admit(
  { caller, beforeSecondFactor = false }: AnyCall,
  identity: Identity,
  config: Config,
): User | null {
  if (caller === 'anyone') return identity.kind === 'user' ? identity.user : null
  const user = requireUser(identity)
  if (caller !== 'user') {
    if (user.factors === null) throw fault('office_log_in_required')
    if (!ROLES[caller].includes(user.role)) throw fault('wrong_role')
    // `teacher` calls are about the teacher of the account, which must exist.
    if (caller === 'teacher' && user.teacherId === null) throw fault('wrong_role')
  }
  if (!beforeSecondFactor) requireSecondFactor(user, config)
  return user
}

/**
 * Refuses tokens without the second factor to staff who need one, including tokens of the shop's
 * own log-in: a password alone must not give access to conversations with customers.
 */
export function requireSecondFactor(user: User, config: Config): void {
  if (lacksSecondFactor(user, config)) throw fault('second_factor_missing')
}

/** Whether staff with this role need a second factor; administrators of a real shop do. */
export function needsSecondFactor(role: AccountRole, config: Config): boolean {
  return role === 'ADMIN' && realBecause(config) !== null
}

/** Whether this token lacks the second factor that its owner needs. */
export function lacksSecondFactor({ role, factors }: User, config: Config): boolean {
  return factors !== 2 && needsSecondFactor(role, config)
}
