import { DEFAULT_LOCALE, LOCALES } from '../../i18n/locales.ts'
import { HOUR_MS } from '../../rules/durations.ts'
import { email as checkEmail, NAME_MAX_LENGTH } from '../../rules/validators.ts'
import { COMMAND_LINE, INVITATION_LIFETIME_MS, inviteAdministrator } from '../accounts/accounts.ts'
import { type Command, EXIT, OfficeError } from './command.ts'

const HOURS = INVITATION_LIFETIME_MS / HOUR_MS

export const staffCommands: readonly Command[] = [
  {
    name: 'create-admin',
    usage: '<e-mail>',
    summary: 'Makes an administrator, and prints the link that sets the password.',
    details: [
      `The link works once, for ${HOURS} hours; give it to that person alone.`,
      'For an administrator who is there already it makes a new link, and older ones end.',
    ],
    options: {
      name: { type: 'string', about: 'what customers see in the chat; else what is before the @' },
      language: { type: 'string', about: `of the page: ${LOCALES.join(', ')}` },
    },
    makesLinks: true,
    async run(deps, { args: [typed = ''], options }) {
      const email = typed.trim()
      if (email === '' || checkEmail(email) !== null) {
        throw new OfficeError(EXIT.usage, `"${typed}" is no e-mail address.`)
      }
      const { language = DEFAULT_LOCALE } = options
      const locale = LOCALES.find((each) => each === language)
      if (!locale) {
        throw new OfficeError(
          EXIT.usage,
          `--language is "${language}"; allowed is ${LOCALES.join(', ')}.`,
        )
      }
      const name = nameOf(options.name, email)
      const invitation = { email, name, locale, actor: COMMAND_LINE }
      const { userId, isNew, link } = await inviteAdministrator(deps, invitation)
      return {
        lines: [
          isNew
            ? `${email} is an administrator now (user ${userId}), and chooses a password here:`
            : `${email} is an administrator already (user ${userId}); a new password is chosen here:`,
          link,
          `The link works once, for ${HOURS} hours.`,
        ],
        json: { userId, isNew, link, hours: HOURS },
      }
    },
  },
]

function nameOf(given: string | boolean | undefined, email: string): string {
  const name = String(given ?? email.split('@')[0]).trim()
  if (name !== '' && name.length <= NAME_MAX_LENGTH) return name
  throw new OfficeError(EXIT.usage, `--name takes 1 to ${NAME_MAX_LENGTH} characters.`)
}
