import { ACCOUNT_REASON_MAX_LENGTH } from '../../contract/office-people.ts'
import { DEFAULT_LOCALE, LOCALES } from '../../i18n/locales.ts'
import { HOUR_MS } from '../../rules/durations.ts'
import { plainEmail, plainName } from '../../rules/pasted-text.ts'
import type { StaffRole } from '../../rules/roles.ts'
import { email as checkEmail, NAME_MAX_LENGTH } from '../../rules/validators.ts'
import {
  blockUser,
  foldEmail,
  INVITATION_LIFETIME_MS,
  type Invited,
  inviteStaff,
  mailInvitation,
  resetSecondFactor,
  unblockUser,
} from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { findPerson, nameOf, type PersonRow, stateOf } from '../people/people.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import {
  type Command,
  type Input,
  type Outcome,
  readChoice,
  readId,
  readText,
  refusal,
  wrongUsage,
} from './command.ts'

const HOURS = INVITATION_LIFETIME_MS / HOUR_MS

const OPTIONS: Command['options'] = {
  name: { type: 'string', about: 'the person’s name, first name first' },
  language: { type: 'string', about: `language of the page and of mails: ${LOCALES.join(', ')}` },
}
const ABOUT_LINKS = [
  `The link works once and expires after ${HOURS} hours; give it only to that person.`,
  'For an existing account, it creates a new link and revokes older ones.',
]

/** Lets staff in and keeps accounts out: what is needed when nobody can open the office. */
export const accountCommands: readonly Command[] = [
  {
    name: 'create-admin',
    usage: '<e-mail>',
    summary: 'Creates an administrator and prints the link for setting a name and password.',
    details: ABOUT_LINKS,
    options: OPTIONS,
    makesLinks: true,
    run: (deps, input) => invite(deps, input, 'ADMIN'),
  },
  {
    name: 'invite-teacher',
    usage: '<e-mail>',
    summary: 'Invites a teacher to the office by mail and prints the link.',
    details: [
      ...ABOUT_LINKS,
      'If a teacher in the catalogue has this e-mail but no account (an imported one, for example), the account is theirs.',
    ],
    options: OPTIONS,
    makesLinks: true,
    async run(deps, input) {
      const outcome = await invite(deps, input, 'TEACHER')
      const { userId } = outcome.json as Invited
      await mailInvitation(deps, userId)
      return { ...outcome, lines: [...outcome.lines, 'A mail with the link is queued as well.'] }
    },
  },
  {
    name: 'second-factor reset',
    usage: '<e-mail>',
    summary: 'Removes an account’s second factor when its phone and recovery codes are lost.',
    details: [
      'Verify who is asking: afterwards the password alone opens the office, where an administrator',
      'must set up a new second factor. The account is logged out everywhere.',
    ],
    options: { reason: { type: 'string', about: 'the reason, for the log' } },
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
  {
    name: 'user',
    usage: '<e-mail|id> <block|unblock>',
    summary: 'Blocks an account, which logs it out everywhere at once, or unblocks it.',
    details: [
      'user amal@mail.example block --reason "Insults in chat"    keeps its money and documents',
      'user amal@mail.example unblock',
    ],
    options: { reason: { type: 'string', about: 'the reason; required to block' } },
    async run(deps, { args: [typed = '', way], options: { reason: given } }) {
      const action = readChoice('The action', way, ['block', 'unblock'])
      const user = await findUser(deps, typed)
      const reason =
        given === undefined ? null : readText('--reason', given, ACCOUNT_REASON_MAX_LENGTH)
      if (action === 'block' && reason === null) throw wrongUsage('Blocking requires --reason "…".')
      const by = { userId: user.id, actor: COMMAND_LINE, reason }
      if (!(await (action === 'block' ? blockUser : unblockUser)(deps, by))) {
        const state = action === 'block' ? 'is blocked already' : 'is not blocked'
        throw refusal(`${nameOf(user)} ${state}.`)
      }
      const done = action === 'block' ? 'is blocked, and logged out everywhere' : 'may log in again'
      const { id, email } = user
      const name = nameOf(user)
      return {
        lines: [`${email ?? name} ${done}.`],
        json: { id, email, name, state: stateOf(await findUser(deps, String(id))) },
      }
    },
  },
]

async function invite(
  deps: Deps,
  { args: [typed = ''], options }: Input,
  role: StaffRole,
): Promise<Outcome> {
  const email = plainEmail(typed)
  if (email === '' || checkEmail(email) !== null) {
    throw wrongUsage(`"${typed}" is not an e-mail address.`)
  }
  const locale = readChoice('--language', options.language, LOCALES) ?? DEFAULT_LOCALE
  const names = namesOf(options.name)
  const invitation = { role, email, ...names, locale, actor: COMMAND_LINE }
  const { userId, isNew, link } = await inviteStaff(deps, invitation)
  const what = role === 'ADMIN' ? 'an administrator' : 'a teacher'
  return {
    lines: [
      isNew
        ? `${email} is now ${what} (user ${userId}). Link to set a password:`
        : `${email} is already ${what} (user ${userId}). Link to set a new password:`,
      link,
      `The link works once, for ${HOURS} hours.`,
    ],
    json: { userId, isNew, link, hours: HOURS },
  }
}

/** Splits `Amira Ben Salah` into the first name Amira and the last name Ben Salah. */
function namesOf(given: string | boolean | undefined) {
  if (given === undefined) return { firstName: '', lastName: '' }
  const name = plainName(readText('--name', given, NAME_MAX_LENGTH))
  const [firstName = '', ...others] = name.split(/\s+/)
  return { firstName, lastName: others.join(' ') }
}

/** The account with this e-mail address or id; throws a `CommandError` if there is none. */
export async function findUser({ database }: Deps, typed: string): Promise<PersonRow> {
  const email = foldEmail(typed)
  const by = email.includes('@') ? { email } : { id: readId(typed, 'e-mail or user id') }
  const user = await findPerson(database.kysely, by)
  if (!user) throw refusal(`There is no account ${typed}.`)
  return user
}
