import type { MailState } from '../../contract/office-desk.ts'
import { DEFAULT_LOCALE, LOCALES } from '../../i18n/locales.ts'
import { email as checkEmail } from '../../rules/validators.ts'
import type { Deps } from '../deps.ts'
import type { ListedJob } from '../jobs/jobs.ts'
import { placeOf, readMailState, sendGivenUpAgain, sendTestMail } from '../mail/mail.ts'
import { readTexts, senderAddress } from '../site-texts/site-texts.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, EXIT, readChoice, refusal, wrongUsage } from './command.ts'
import { inFolder } from './open-shop.ts'
import { counted, moment, readable } from './print.ts'

/** How many characters of an id are shown; the operator types that many. */
const SHOWN = 8

export const mailCommands: readonly Command[] = [
  {
    name: 'mails',
    usage: '',
    summary: 'Shows where mails go and the last failure, and lists the mails that were given up.',
    async run(deps) {
      const { jobs } = deps
      const { place, trouble, waiting } = await readMailState(deps)
      const failed = (await jobs.list('failed_mail')).map(({ id, data, failure, createdOn }) => ({
        id,
        kind: String(data.kind),
        failedAt: createdOn,
        to: failure?.to ? String(failure.to) : '-',
        reason: String(failure?.reason ?? failure?.message ?? '-'),
      }))
      const rows = failed.map(({ id, failedAt, ...mail }) => {
        return { mail: id.slice(0, SHOWN), 'given up': moment(failedAt), ...mail }
      })
      return {
        lines: [
          deps.mail.place.kind === 'folder' ? inFolder(place) : `Mails go to ${place}.`,
          ...(trouble ? [troubleLine(trouble)] : []),
          `Mails that wait: ${waiting}.`,
          ...(failed.length === 0 ? ['No mail was given up.'] : readable(rows)),
        ],
        json: { to: deps.mail.place, trouble, waiting, failed },
      }
    },
  },
  {
    name: 'mails test',
    usage: '<e-mail>',
    summary: 'Sends a test mail at once; exit code 1, with the reason, if it is not accepted.',
    options: { language: { type: 'string', about: `language of the mail: ${LOCALES.join(', ')}` } },
    async run(deps, { args: [to = ''], options }) {
      if (checkEmail(to) !== null) throw wrongUsage(`"${to}" is not an e-mail address.`)
      const locale = readChoice('--language', options.language, LOCALES) ?? DEFAULT_LOCALE
      const from = await senderAddress(deps)
      const texts = await readTexts(deps.database.kysely)
      const problem = await sendTestMail(deps, { to, locale, texts, from })
      const { place } = placeOf(deps.mail)
      const taken =
        deps.mail.place.kind === 'folder'
          ? inFolder(place)
          : `${place} took the mail for ${to}; look into that mailbox, spam included.`
      return {
        exit: problem === null ? EXIT.done : EXIT.no,
        lines: [problem === null ? taken : `The mail was not taken by ${place}: ${problem}`],
        json: { to, place: deps.mail.place, problem },
      }
    },
  },
  {
    name: 'mails send',
    usage: '[mail]',
    summary: 'Retries a mail that was given up, or all of them with --all.',
    details: [
      'The mail is written again from the present state; one that no longer applies is not sent.',
      'A link for setting a password is replaced, and its time starts again.',
    ],
    options: { all: { type: 'boolean', about: 'retry every mail that was given up' } },
    async run(deps, { args, options }) {
      if ((args[0] === undefined) !== (options.all === true)) {
        throw wrongUsage('Name a mail that `mails` shows, or give --all.')
      }
      const ids = (await chosen(deps, args[0])).map(({ id }) => id)
      const sent = await sendGivenUpAgain(deps, { actor: COMMAND_LINE, ids })
      return {
        lines: [`To be sent: ${counted(sent, 'mail')}.`],
        json: { sent },
      }
    },
  },
]

function troubleLine({ reason, at, since }: NonNullable<MailState['trouble']>): string {
  const last = `the last error, ${moment(new Date(at))}: ${reason}`
  return since
    ? `Mail has been FAILING since ${moment(new Date(since))}; ${last}`
    : `Mail works; ${last}`
}

/** The mail whose id begins with the typed text; all mails if nothing was typed. */
async function chosen({ jobs }: Deps, typed: string | undefined): Promise<ListedJob[]> {
  const failed = await jobs.list('failed_mail')
  if (typed === undefined) return failed
  const found = failed.filter(({ id }) => id.startsWith(typed.toLowerCase()))
  if (found.length === 1) return found
  throw refusal(
    found.length === 0
      ? `No mail that was given up has the id ${typed}.`
      : `${found.length} mails begin with ${typed}: give more of the id, which --json shows whole.`,
  )
}
