import { expect } from 'vitest'
import { logIn } from '../../src/contract/accounts.ts'
import { acceptInvitation } from '../../src/contract/office-access.ts'
import { runOffice, type Terminal } from '../../src/server/office/run.ts'
import type { TestApp } from './app.ts'
import { withoutMailNote } from './operator.ts'

// Administrators who are invited by the command line.

export const EMAIL = 'amira@karras.test'
export const NEW = 'a password of her own'

/** Runs an operator's command on the shop of a test. */
export async function office(
  app: Pick<TestApp, 'databaseUrl' | 'deps'>,
  typed: string[],
  env: Record<string, string> = {},
  terminal: Pick<Terminal, 'ask' | 'piped'> = {},
) {
  const out: string[] = []
  const err: string[] = []
  const exit = await runOffice(
    typed,
    { DATABASE_URL: app.databaseUrl, DATA_DIR: app.deps.config.dataDir, ...env },
    { out: (line) => void out.push(line), err: (line) => void err.push(line), ...terminal },
  )
  return {
    exit,
    out: out.join('\n'),
    err: withoutMailNote(err).join('\n'),
    json: () => JSON.parse(out.join('')),
  }
}

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
