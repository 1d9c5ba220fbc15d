import * as office from '../../../src/contract/office-people.ts'
import type { TestApp } from '../app.ts'
import { bothAtOnce } from '../operator.ts'
import { type Person, withOfficeToken } from '../people.ts'

// Calls of administrators that find people.

export const find = (app: TestApp, admin: Person, query: office.PeopleFilters) =>
  app.call(office.listPeople, { as: admin, query })
export const emailsOf = async (app: TestApp, admin: Person, query: office.PeopleFilters) =>
  (await find(app, admin, query)).content.map(({ email }) => email)
export const view = (app: TestApp, as: Person, id: number) =>
  app.call(office.getPerson, { as, params: { id } })
export const mailsTo = async (app: TestApp, email: string) =>
  (await app.mails()).filter(({ headers }) => headers.includes(email))

/** Makes the same call as two administrators concurrently. */
export const asBoth = async (app: TestApp, admin: Person, call: (as: Person) => Promise<unknown>) =>
  bothAtOnce([admin, await withOfficeToken(app.deps, await app.anAdministrator())], call)
