import type { TestApp } from './app.ts'

const entriesOf = ({ deps }: TestApp, subject: string) =>
  deps.database.kysely.selectFrom('staffLog').where('subject', '=', subject).orderBy('id')

/** The log entries of a subject, oldest first: who did what, and why. */
export const logOf = (app: TestApp, subject: string) =>
  entriesOf(app, subject).select(['actor', 'action', 'reason']).execute()

/** The same without the reasons. */
export const actionsOn = (app: TestApp, subject: string) =>
  entriesOf(app, subject).select(['actor', 'action']).execute()
