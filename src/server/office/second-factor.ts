import { resetSecondFactor } from '../accounts/accounts.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, refusal } from './command.ts'
import { findUser } from './find-users.ts'

export const secondFactorCommands: readonly Command[] = [
  {
    name: 'second-factor reset',
    usage: '<e-mail>',
    summary: 'Removes the second factor of an account whose phone and recovery codes are lost.',
    details: [
      'Verify who asks: from then on the password alone opens the office, where an administrator has',
      'to set up another second factor. All log-ins of the account end.',
    ],
    options: { reason: { type: 'string', about: 'why, for the log' } },
    async run(deps, { args: [typed = ''], options }) {
      const { id: userId, email } = await findUser(deps, typed)
      const reason = String(options.reason ?? '').trim() || null
      const isReset = await resetSecondFactor(deps, { userId, actor: COMMAND_LINE, reason })
      if (!isReset) throw refusal(`${email} has no second factor.`)
      return {
        lines: [`${email} no longer has a second factor, and is logged out everywhere.`],
        json: { userId, email },
      }
    },
  },
]
