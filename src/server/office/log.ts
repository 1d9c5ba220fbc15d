import type { LogFilters, LoggedAction } from '../../contract/office-log.ts'
import { readLog } from '../people/people.ts'
import { type Command, notA, readChoice, readId } from './command.ts'
import { findUser } from './find-users.ts'
import { moment, table } from './print.ts'

const LISTED = 50
const LISTED_AT_MOST = 10_000
const KINDS = ['sights', 'deeds'] as const

export const logCommands: readonly Command[] = [
  {
    name: 'log',
    usage: '[search]',
    summary: `Lists what staff did, newest first: the last ${LISTED}, or what a search finds.`,
    details: [
      'log "document 12"                 what was done to a document',
      'log amal@mail.example             what was done to an account; a name works, too',
      'log --who admin@shop.example      what a member of staff did; --who office: by command line',
    ],
    options: {
      who: { type: 'string', about: 'only by the account with this e-mail or id, or by office' },
      what: { type: 'string', about: 'only this action, such as block' },
      from: { type: 'string', about: 'from this day on, in Tunisia: 2026-11-22' },
      to: { type: 'string', about: 'up to and including this day' },
      kind: { type: 'string', about: 'sights: only views of customers’ data; deeds: all else' },
      limit: { type: 'string', about: `how many, at most ${LISTED_AT_MOST}` },
    },
    async run(deps, { args: [q], options }) {
      const limit = options.limit === undefined ? LISTED : readId(String(options.limit), 'number')
      const kind = readChoice('--kind', options.kind, KINDS)
      const filters: LogFilters = {
        ...(q && { q }),
        ...(options.who !== undefined && { who: await readWho(String(options.who)) }),
        ...(options.what !== undefined && { what: String(options.what) }),
        ...readDay('from', options.from),
        ...readDay('to', options.to),
        ...(kind && { kind }),
      }
      const rows = await readLog(deps.database, filters, { limit: Math.min(limit, LISTED_AT_MOST) })
      return {
        lines: table('The log has no such entries.', rows, {
          at: ({ at }) => moment(new Date(at)),
          who: ({ actor }) => actor.name,
          what: ({ action }) => action,
          'on whom': subjectOf,
          why: ({ reason }) => reason?.replace(/\s+/g, ' ') ?? null,
        }),
        json: rows,
      }

      async function readWho(typed: string): Promise<string> {
        return typed === 'office' ? 'command-line' : String((await findUser(deps, typed)).id)
      }
    },
  },
]

function subjectOf({ subject: { kind, id, name } }: LoggedAction): string {
  const what = id === null ? kind : `${kind} ${id}`
  return name === null ? what : `${what} (${name})`
}

function readDay(name: 'from' | 'to', typed: string | boolean | undefined) {
  if (typed === undefined) return {}
  const day = String(typed)
  if (/^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))) return { [name]: day }
  throw notA(`day for --${name}`, day, '2026-11-22')
}
