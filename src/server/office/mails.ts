import type { Deps } from '../deps.ts'
import type { ListedJob } from '../jobs/jobs.ts'
import { sendGivenUpAgain } from '../mail/mail.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, refusal, wrongUsage } from './command.ts'
import { counted, moment, table } from './print.ts'

/** How many characters of an id are shown; the operator types that many. */
const SHOWN = 8

export const mailCommands: readonly Command[] = [
  {
    name: 'mails',
    usage: '',
    summary: 'Lists the mails that were given up, oldest first, and counts those that still wait.',
    async run({ jobs }) {
      const waiting = await jobs.list('mail')
      const failed = await jobs.list('failed_mail')
      const givenUp = table('No mail was given up.', failed, {
        mail: ({ id }) => id.slice(0, SHOWN),
        kind: kindOf,
        'given up': ({ createdOn }) => moment(createdOn),
        to: recipientOf,
        why: reasonOf,
      })
      return {
        lines: [`Mails that wait: ${waiting.length}.`, ...givenUp],
        json: {
          waiting: waiting.length,
          failed: failed.map((mail) => ({
            id: mail.id,
            kind: kindOf(mail),
            failedAt: mail.createdOn,
            to: recipientOf(mail),
            reason: reasonOf(mail),
          })),
        },
      }
    },
  },
  {
    name: 'mails send',
    usage: '[mail]',
    summary: 'Retries a mail that was given up, or with --all every one.',
    details: [
      'The mail is written anew from the present state; one that no longer applies is not sent.',
      'A link that sets a password is made anew, and its time counts from then on.',
    ],
    options: { all: { type: 'boolean', about: 'every mail that was given up' } },
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

const kindOf = ({ data }: ListedJob) => String(data.kind)
const recipientOf = ({ failure }: ListedJob) => (failure?.to ? String(failure.to) : '-')
const reasonOf = ({ failure }: ListedJob) => String(failure?.reason ?? failure?.message ?? '-')
