import * as office from '../../src/contract/office-access.ts'
import { SECOND_MS } from '../../src/rules/durations.ts'
import type { TestApp } from './app.ts'
import { authenticatorCode } from './authenticator.ts'
import { PASSWORD, type Person } from './factories.ts'
import { LOGGED_SUBJECT } from './staff-log.ts'

// The log-in of the office and its second factor.

export const REAL = { NODE_ENV: 'production', SITE_URL: 'https://shop.example' }
export const STEP_MS = 30 * SECOND_MS

export const logInToOffice = (
  app: TestApp,
  person: Pick<Person, 'email'>,
  code?: string,
  password = PASSWORD,
) => app.call(office.officeLogIn, { body: { username: person.email, password, code } })

/** An office token from a log-in. */
export async function officeTokenOf(app: TestApp, person: Pick<Person, 'email'>, code?: string) {
  const { accessToken } = await logInToOffice(app, person, code)
  if (accessToken === null) throw new Error('a code is required')
  return { token: accessToken }
}

export const claimsOf = ({ token }: { token: string }) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

export const codeNow = (app: TestApp, secret: string) => authenticatorCode(secret, app.deps.now())

/** Sets up the second factor of a logged-in user; moves the clock by a step, to the next code. */
export async function setUp(app: TestApp, as: { token: string }, code?: string) {
  const started = await app.call(office.startSecondFactor, {
    as,
    body: { password: PASSWORD, code },
  })
  const on = await app.call(office.confirmSecondFactor, {
    as,
    body: { code: codeNow(app, started.secret) },
  })
  app.travel(STEP_MS)
  return { ...started, ...on, token: on.accessToken }
}

export const logged = (app: TestApp) =>
  app.kysely
    .selectFrom('staffLog')
    .select(['actor', 'action', LOGGED_SUBJECT.as('subject')])
    .orderBy('id')
    .execute()
