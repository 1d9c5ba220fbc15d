import * as s from 'superstruct'
import { defineCall } from './call.ts'
import { id, moment, pageOf, pageQuery, searchedText, text } from './values.ts'

/** Up to how many rows of the log are counted. */
export const LOG_COUNTED_AT_MOST = 10_000

/** How many rows of the log one file contains. */
export const LOG_EXPORTED_AT_MOST = 10_000

/** An action of a member of staff, its subject and its reason. */
export const LoggedAction = s.type({
  id: id(),
  at: moment(),
  /** `userId` is null for the command line. */
  actor: s.type({ userId: s.nullable(id()), name: s.string() }),
  /** One of `STAFF_ACTIONS`, or an action that an earlier version of the shop wrote. */
  action: s.string(),
  /** `kind` as in the log (`user`, `document`, `join request`); `name` if it is known. */
  subject: s.type({ kind: s.string(), id: s.nullable(id()), name: s.nullable(s.string()) }),
  reason: s.nullable(s.string()),
})
export type LoggedAction = s.Infer<typeof LoggedAction>

const Day = s.pattern(s.string(), /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)

const filters = {
  /** The actor: a user's id, or the command line. */
  who: s.optional(s.pattern(s.string(), /^([1-9]\d{0,8}|command-line)$/)),
  /** An action, exactly as in the log. */
  what: s.optional(text(0, 100)),
  /** The subject: a name, an e-mail address, an id, or `document 12`. */
  q: s.optional(searchedText()),
  /** From this day on, in Tunisia. */
  from: s.optional(Day),
  /** Up to and including this day. */
  to: s.optional(Day),
  /** `sights`: only views of customers' data; `deeds`: all other actions. */
  kind: s.optional(s.enums(['sights', 'deeds'])),
}

export const LogFilters = s.object(filters)
export type LogFilters = s.Infer<typeof LogFilters>

/** The actions of staff, newest first. */
export const listLog = defineCall('GET /office/admin/log', 'admin', {
  query: s.object({ ...pageQuery, ...filters }),
  result: pageOf(LoggedAction),
})

/** The same for a file: the newest `LOG_EXPORTED_AT_MOST` rows. */
export const exportLog = defineCall('GET /office/admin/log/export', 'admin', {
  query: LogFilters,
  result: s.type({ rows: s.array(LoggedAction), isCut: s.boolean() }),
})

/** The values by which the log can be filtered: its actors and its actions. */
export const getLogChoices = defineCall('GET /office/admin/log/choices', 'admin', {
  result: s.type({
    actors: s.array(s.type({ who: s.string(), name: s.string() })),
    actions: s.array(s.string()),
  }),
})
