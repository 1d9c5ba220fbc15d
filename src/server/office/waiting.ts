import type { WaitingGroup } from '../../contract/office-waiting.ts'
import { pluralText } from '../../i18n/format.ts'
import { TEXTS } from '../../i18n/texts.ts'
import { inDinars } from '../../rules/money.ts'
import { noteBackup, readWaiting } from '../waiting/waiting.ts'
import type { Command } from './command.ts'
import { moment, table } from './print.ts'

/**
 * An id that no administrator has: only the conversations of the common inbox are listed for it.
 */
const NOBODY = 0

/** What waits, in the words of the office's first page, with the names of the oldest. */
function sentenceOf({ kind, count, items }: WaitingGroup): string {
  const { waits, kinds, turns, mails } = TEXTS.en['office-waiting'].page
  if (kind in waits) return waits[kind as keyof typeof waits]
  const words: Readonly<Record<string, string>> = {
    ...(kind === 'turns' ? turns : kind === 'mails' ? mails : {}),
  }
  const names = items.map(({ name }) => words[name] ?? name)
  return `${pluralText('en', kinds, kind, count)}: ${names.join(', ')}`
}

export const waitingCommands: readonly Command[] = [
  {
    name: 'waiting',
    usage: '',
    summary: 'Lists what waits for staff, like the first page of the office.',
    async run(deps) {
      const { groups } = await readWaiting(deps, NOBODY)
      return {
        lines: table('Nothing waits.', groups, {
          what: ({ kind }) => kind,
          count: ({ count }) => count,
          since: ({ since }) => moment(new Date(since)),
          'in words': sentenceOf,
        }),
        json: groups.map((group) => ({
          ...group,
          items: group.items.map(({ amount, ...item }) => ({
            ...item,
            ...(amount !== undefined && { amount: inDinars(amount) }),
          })),
        })),
      }
    },
  },
  {
    name: 'backup note',
    usage: '',
    summary:
      'Notes that the shop was backed up by other means, such as by the host of its database.',
    details: ['The office warns when the last backup is old; `backup` notes itself.'],
    async run({ database, now }) {
      const at = new Date(now())
      await noteBackup(database, at)
      return { lines: [`Noted: backed up ${moment(at)}.`], json: { backupAt: at } }
    },
  },
]
