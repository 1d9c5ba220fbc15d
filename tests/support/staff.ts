import { expect } from 'vitest'
import { logIn } from '../../src/contract/accounts.ts'
import { acceptInvitation } from '../../src/contract/office-access.ts'
import type { TestApp } from './app.ts'
import { runOperator } from './operator.ts'

// Administrators who are invited by the command line.

export const EMAIL = 'amira@karras.test'
export const NEW = 'a password of her own'

/** Runs an operator's command on the shop of a test. */
export const office = (
  app: Pick<TestApp, 'databaseUrl' | 'deps'>,
  typed: string[],
  env: Record<string, string> = {},
  terminal?: Parameters<typeof runOperator>[2],
) =>
  runOperator(
    typed,
    { DATABASE_URL: app.databaseUrl, DATA_DIR: app.deps.config.dataDir, ...env },
    terminal,
  )

export async function invited(app: TestApp, ...more: string[]): Promise<string> {
  const { exit, err, json } = await office(app, ['create-admin', EMAIL, ...more, '--json'])
  expect([exit, err]).toEqual([0, ''])
  const link = new URL(json().link)
  expect(link.pathname).toMatch(/\/office\/invitation$/)
  return link.searchParams.get('token') ?? ''
}

export const choosePassword = (app: TestApp, token: string, password = NEW) =>
  app.call(acceptInvitation, {
    body: { token, firstName: 'Amira', lastName: 'Trabelsi', password },
  })
export const logInAs = (app: TestApp, username: string, password: string) =>
  app.call(logIn, { body: { username, password } })
