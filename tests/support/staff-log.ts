import { sql } from 'kysely'
import type { TestApp } from './app.ts'

/** The subject of a row of the log, as tests name it: `user 12`. */
export const LOGGED_SUBJECT = sql<string>`concat_ws(' ', subject_kind, subject_id)`

const entriesOf = ({ deps }: TestApp, subject: string) =>
  deps.database.kysely.selectFrom('staffLog').where(LOGGED_SUBJECT, '=', subject).orderBy('id')

/** The log entries of a subject, oldest first: who did what, and why. */
export const logOf = (app: TestApp, subject: string) =>
  entriesOf(app, subject).select(['actor', 'action', 'reason']).execute()

/** The same without the reasons. */
export const actionsOn = (app: TestApp, subject: string) =>
  entriesOf(app, subject).select(['actor', 'action']).execute()

/** The last row of the log: its author, action, subject and reason. */
export const lastLogged = ({ deps }: TestApp) =>
  deps.database.kysely
    .selectFrom('staffLog')
    .select(['actor', 'action', LOGGED_SUBJECT.as('subject'), 'reason'])
    .orderBy('id', 'desc')
    .executeTakeFirst()
