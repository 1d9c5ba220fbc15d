import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  object,
  optional,
  pattern,
  string,
  type,
} from 'superstruct'
import { defineCall } from './call.ts'
import { id, moment, pageOf, pageQuery, text } from './values.ts'

/** Up to how many rows of the log are counted. */
export const LOG_COUNTED_AT_MOST = 10_000

/** How many rows of the log one file contains. */
export const LOG_EXPORTED_AT_MOST = 10_000

/** An action of a member of staff, its subject and its reason. */
export const LoggedAction = type({
  id: id(),
  at: moment(),
  /** `userId` is null for the command line. */
  actor: type({ userId: nullable(id()), name: string() }),
  /** One of `STAFF_ACTIONS`, or an action that an earlier version of the shop wrote. */
  action: string(),
  /** `kind` as in the log (`user`, `document`, `join request`); `name` if it is known. */
  subject: type({ kind: string(), id: nullable(id()), name: nullable(string()) }),
  reason: nullable(string()),
})
export type LoggedAction = Infer<typeof LoggedAction>

const Day = pattern(string(), /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)

const filters = {
  /** The actor: a user's id, or the command line. */
  who: optional(pattern(string(), /^([1-9]\d{0,8}|command-line)$/)),
  /** An action, exactly as in the log. */
  what: optional(text(0, 100)),
  /** The subject: a name, an e-mail address, an id, or `document 12`. */
  q: optional(text(0, 200)),
  /** From this day on, in Tunisia. */
  from: optional(Day),
  /** Up to and including this day. */
  to: optional(Day),
  /** `sights`: only views of customers' data; `deeds`: all other actions. */
  kind: optional(enums(['sights', 'deeds'])),
}

export const LogFilters = object(filters)
export type LogFilters = Infer<typeof LogFilters>

/** The actions of staff, newest first. */
export const listLog = defineCall('GET /office/admin/log', 'admin', {
  query: object({ ...pageQuery, ...filters }),
  result: pageOf(LoggedAction),
})

/** The same for a file: the newest `LOG_EXPORTED_AT_MOST` rows. */
export const exportLog = defineCall('GET /office/admin/log/export', 'admin', {
  query: LogFilters,
  result: type({ rows: array(LoggedAction), isCut: boolean() }),
})

/** The values by which the log can be filtered: its actors and its actions. */
export const getLogChoices = defineCall('GET /office/admin/log/choices', 'admin', {
  result: type({
    actors: array(type({ who: string(), name: string() })),
    actions: array(string()),
  }),
})
