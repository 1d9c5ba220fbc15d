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
import { pageOf, pageQuery } from './pages.ts'
import { id, moment, text } from './values.ts'

/** The log says how many rows there are up to here. */
export const LOG_COUNTED_AT_MOST = 10_000

/** Rows of the log that one file holds. */
export const LOG_EXPORTED_AT_MOST = 10_000

/** What somebody of the staff did, to what, and why. */
export const LoggedAction = type({
  id: id(),
  at: moment(),
  /** `userId` is null for the command line. */
  actor: type({ userId: nullable(id()), name: string() }),
  /** One of `STAFF_ACTIONS`, or what an earlier version wrote. */
  action: string(),
  /** `kind` as the log has it (`user`, `document`, `join request`); `name` where it can be said. */
  subject: type({ kind: string(), id: nullable(id()), name: nullable(string()) }),
  reason: nullable(string()),
})
export type LoggedAction = Infer<typeof LoggedAction>

const Day = pattern(string(), /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)

const filters = {
  /** Who: the id of a user, or the command line. */
  who: optional(pattern(string(), /^([1-9]\d{0,8}|command-line)$/)),
  /** An action, word for word. */
  what: optional(text(0, 100)),
  /** On whom or what: a name, an e-mail address, an id, or `document 12`. */
  q: optional(text(0, 200)),
  /** From this day of Tunisia on. */
  from: optional(Day),
  /** Up to this day, included. */
  to: optional(Day),
  /** Only who looked at something, or only what was done. */
  kind: optional(enums(['sights', 'deeds'])),
}

export const LogFilters = object(filters)
export type LogFilters = Infer<typeof LogFilters>

/** Everything that staff do, newest first. */
export const listLog = defineCall({
  method: 'GET',
  path: '/office/admin/log',
  caller: 'admin',
  query: object({ ...pageQuery, ...filters }),
  result: pageOf(LoggedAction),
})

/** The same for a file: the newest `LOG_EXPORTED_AT_MOST` rows. */
export const exportLog = defineCall({
  method: 'GET',
  path: '/office/admin/log/export',
  caller: 'admin',
  query: LogFilters,
  result: type({ rows: array(LoggedAction), isCut: boolean() }),
})

/** By what the log can be narrowed: who acts in it, and what they do. */
export const getLogChoices = defineCall({
  method: 'GET',
  path: '/office/admin/log/choices',
  caller: 'admin',
  result: type({
    actors: array(type({ who: string(), name: string() })),
    actions: array(string()),
  }),
})
