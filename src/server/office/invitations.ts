import { DEFAULT_LOCALE, LOCALES } from '../../i18n/locales.ts'
import { HOUR_MS } from '../../rules/durations.ts'
import { plainEmail, plainName } from '../../rules/pasted-text.ts'
import type { StaffRole } from '../../rules/roles.ts'
import { email as checkEmail, NAME_MAX_LENGTH } from '../../rules/validators.ts'
import {
  INVITATION_LIFETIME_MS,
  type Invited,
  inviteStaff,
  mailInvitation,
  withdrawInvitation,
} from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import {
  type Command,
  type Input,
  type Outcome,
  readChoice,
  readText,
  wrongUsage,
} from './command.ts'
import { findUser } from './find-users.ts'

const HOURS = INVITATION_LIFETIME_MS / HOUR_MS

const OPTIONS: Command['options'] = {
  name: { type: 'string', about: 'the name filled in for them, first name first' },
  language: { type: 'string', about: `of the page and of mails: ${LOCALES.join(', ')}` },
}
const ABOUT_LINKS = [
  `The link works once, for ${HOURS} hours; give it to that person alone.`,
  'For an existing account it makes a new link and revokes older ones.',
]

export const invitationCommands: readonly Command[] = [
  {
    name: 'create-admin',
    usage: '<e-mail>',
    summary: 'Makes an administrator, and prints the link that sets name and password.',
    details: ABOUT_LINKS,
    options: OPTIONS,
    makesLinks: true,
    run: (deps, input) => invite(deps, input, 'ADMIN'),
  },
  {
    name: 'invite-teacher',
    usage: '<e-mail>',
    summary: 'Invites a teacher to the office, by mail, and prints the link.',
    details: [
      ...ABOUT_LINKS,
      'A teacher of the catalogue with that e-mail but no account, such as an imported one, gets the account.',
    ],
    options: OPTIONS,
    makesLinks: true,
    async run(deps, input) {
      const outcome = await invite(deps, input, 'TEACHER')
      const { userId } = outcome.json as Invited
      await mailInvitation(deps, userId)
      return { ...outcome, lines: [...outcome.lines, mailed(deps)] }
    },
  },
  {
    name: 'withdraw-invitation',
    usage: '<e-mail|id>',
    summary: 'Withdraws an invitation that was not accepted yet; its address is free again.',
    async run(deps, { args: [typed = ''] }) {
      const { id: userId, email } = await findUser(deps, typed)
      await withdrawInvitation(deps, { userId, actor: COMMAND_LINE })
      return { lines: [`${email} is no longer invited.`], json: { userId, email } }
    },
  },
]

/** Describes where a command's mail goes: to its recipient, or, without SMTP_URL, to a file. */
export function mailed({ config }: Pick<Deps, 'config'>): string {
  return config.smtpUrl === null
    ? 'SMTP_URL is not set: the mail is a file in the outbox of DATA_DIR.'
    : 'A mail with a link is on its way too.'
}

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
