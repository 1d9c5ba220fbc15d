import { isStamping, listUnstamped, retryUnstamped, switchStamping } from '../library/library.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, readChoice } from './command.ts'
import { moment, table } from './print.ts'

export const stampCommands: readonly Command[] = [
  {
    name: 'stamp',
    usage: '[on|off]',
    summary: 'Shows whether bought PDFs carry a footer and which files cannot, or switches it.',
    details: [
      'It applies to downloads from now on; off, files go out as they were stored.',
      'A file that cannot be stamped goes out as it is. --retry forgets which ones, and the next download of each tries again.',
    ],
    options: { retry: { type: 'boolean', about: 'tries again what could not be stamped' } },
    async run(deps, { args: [typed], options }) {
      const wanted = readChoice('The stamp', typed, ['on', 'off'])
      if (wanted) await switchStamping(deps, { isOn: wanted === 'on', actor: COMMAND_LINE })
      if (options.retry) await retryUnstamped(deps.database.kysely)
      const isOn = await isStamping(deps)
      const unstamped = await listUnstamped(deps.database.kysely)
      return {
        lines: [
          `The stamp is ${isOn ? 'on' : 'off'}.`,
          '',
          ...table('Every file that was downloaded could be stamped.', unstamped, {
            document: ({ documentId }) => documentId,
            title: ({ title }) => title,
            reason: ({ reason, detail }) => `${reason}: ${detail}`,
            since: ({ notedAt }) => moment(notedAt),
          }),
        ],
        json: { isOn, unstamped },
      }
    },
  },
]
