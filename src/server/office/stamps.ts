import {
  isStamping,
  listUndrawn,
  listUnstamped,
  retryUndrawn,
  retryUnstamped,
  switchStamping,
} from '../library/library.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, readChoice } from './command.ts'
import { moment, table } from './print.ts'

export const stampCommands: readonly Command[] = [
  {
    name: 'stamp',
    usage: '[on|off]',
    summary:
      'Shows whether bought PDFs carry a footer, and which files could not be stamped or drawn, or switches it.',
    details: [
      'It applies to downloads from now on; off, files go out as they were stored.',
      'A file that cannot be stamped goes out as it is; one that cannot be drawn has no sample. docs/operating.md says what to do about each.',
      '--retry tries them all again: the footer with the next download of each, the pages within minutes.',
    ],
    options: {
      retry: { type: 'boolean', about: 'tries again what could not be stamped or drawn' },
    },
    async run(deps, { args: [typed], options }) {
      const { kysely } = deps.database
      const wanted = readChoice('The stamp', typed, ['on', 'off'])
      if (wanted) await switchStamping(deps, { isOn: wanted === 'on', actor: COMMAND_LINE })
      if (options.retry) {
        await retryUnstamped(kysely)
        await retryUndrawn(kysely, deps.now())
      }
      const isOn = await isStamping(deps)
      const unstamped = await listUnstamped(kysely)
      const undrawn = await listUndrawn(kysely)
      return {
        lines: [
          `The stamp is ${isOn ? 'on' : 'off'}.`,
          ...(options.retry ? ['What could not be stamped or drawn is tried again.'] : []),
          '',
          ...table('Every file that was downloaded could be stamped.', unstamped, {
            document: ({ documentId }) => documentId,
            'not stamped since': ({ notedAt }) => moment(notedAt),
            reason: ({ reason, detail }) => `${reason}: ${detail}`,
            title: ({ title }) => title,
          }),
          '',
          ...table('The pages of every document on sale can be drawn.', undrawn, {
            document: ({ documentId }) => documentId,
            'not drawn since': ({ failedAt }) => moment(failedAt),
            'tried again': ({ isDue }) => (isDue ? 'yes' : 'no'),
            trouble: ({ trouble }) => trouble,
            title: ({ title }) => title,
          }),
        ],
        json: { isOn, unstamped, undrawn },
      }
    },
  },
]
