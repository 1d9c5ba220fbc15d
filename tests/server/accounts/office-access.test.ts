import { describe, expect } from 'vitest'
import { logIn, logOut } from '../../../src/contract/accounts.ts'
import * as office from '../../../src/contract/office-access.ts'
import { MINUTE_MS, SECOND_MS } from '../../../src/rules/durations.ts'
import { TOKEN_LIFETIME_MS } from '../../../src/server/http/identity.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { runOffice } from '../../../src/server/office/run.ts'
import { testApp } from '../../support/app.ts'
import { PASSWORD } from '../../support/factories.ts'
import {
  claimsOf,
  logged,
  logInToOffice,
  officeTokenOf,
  REAL,
  setUp,
} from '../../support/office-access.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { test } from '../../support/test.ts'

describe('POST /api/office/login', () => {
  test('returns an office token for 12 hours, by e-mail or phone', async ({ app }) => {
    const teacher = await app.anOfficeTeacher()
    const as = await officeTokenOf(app, teacher)
    expect(claimsOf(as)).toMatchObject({ userId: teacher.id, authorities: ['TEACHER'], factors: 1 })
    expect(claimsOf(as).exp - claimsOf(as).iat).toBe(TOKEN_LIFETIME_MS / 1000)
    expect(await app.call(office.getStaff, { as })).toMatchObject({
      userId: teacher.id,
      role: 'TEACHER',
      email: teacher.email,
      teacherId: teacher.teacherId,
      lacksSecondFactor: false,
    })
    await officeTokenOf(app, { email: teacher.phone })
    expect(await logged(app)).toEqual(
      Array(2).fill({
        actor: `user ${teacher.id}`,
        action: 'log in',
        subject: `user ${teacher.id}`,
      }),
    )
    app.travel(TOKEN_LIFETIME_MS + SECOND_MS)
    await expectCode(app.call(office.getStaff, { as }), 'invalid_token')
  })

  test('is not a log-in of the shop, nor the other way round', async ({ app }) => {
    const teacher = await app.anOfficeTeacher()
    const body = { username: teacher.email, password: PASSWORD }
    const { accessToken: token } = await app.call(logIn, { body })
    expect(claimsOf({ token }).factors).toBeUndefined()
    await expectCode(app.call(office.getStaff, { as: { token } }), 'office_log_in_required')
  })

  test('refuses customers, blocked accounts and wrong passwords, each with its reason', async ({
    app,
  }) => {
    const customer = await app.aCustomer()
    const teacher = await app.anOfficeTeacher()
    await expectCode(logInToOffice(app, customer), 'wrong_role')
    for (const email of [teacher.email, customer.email, 'nobody@karras.test']) {
      await expectCode(logInToOffice(app, { email }, undefined, 'wrong'), 'wrong_credentials')
    }
    const blocked = app.deps.database.kysely.updateTable('users').set({ blockedAt: new Date() })
    await blocked.where('id', '=', teacher.id).execute()
    await expectCode(logInToOffice(app, teacher), 'account_blocked')
    await expectCode(logInToOffice(app, teacher, undefined, 'wrong'), 'wrong_credentials')
  })

  test('counts attempts together with those of the shop', async () => {
    const few = {
      ...ALLOWANCES,
      logInsOfAccountAndAddress: { max: 3, windowMs: 15 * MINUTE_MS },
    }
    const app = await testApp({ allowances: few })
    const teacher = await app.anOfficeTeacher()
    const wrong = { username: teacher.email, password: 'wrong' }
    await expectRefused(app.call(logIn, { body: wrong }), 401)
    for (let tries = 0; tries < 2; tries++) {
      await expectRefused(logInToOffice(app, teacher, undefined, 'wrong'), 401)
    }
    await expectRefused(logInToOffice(app, teacher), 429)
    app.travel(16 * MINUTE_MS)
    await logInToOffice(app, teacher)
  })

  test('ends at log-out', async ({ app }) => {
    const as = await officeTokenOf(app, await app.anOfficeTeacher())
    await app.call(logOut, { as })
    await expectRefused(app.call(office.getStaff, { as }), 401)
  })
})

test('office second-factor reset lets an owner without phone and codes in with the password alone', async () => {
  const app = await testApp({ env: REAL })
  const administrator = await app.anAdministrator()
  const { token } = await setUp(app, await officeTokenOf(app, administrator))
  const reset = (...typed: string[]) => {
    const err: string[] = []
    const env = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.deps.config.dataDir }
    const terminal = { out: () => {}, err: (line: string) => void err.push(line) }
    return runOffice(['second-factor', 'reset', ...typed], env, terminal).then((exit) => [
      exit,
      err,
    ])
  }
  expect(await reset('nobody@karras.test')).toEqual([1, [expect.any(String)]])
  expect(await reset(administrator.email, '--reason', 'lost phone')).toEqual([0, []])
  expect(await reset(administrator.email)).toEqual([
    1,
    [`${administrator.email} has no second factor.`],
  ])
  await expectRefused(app.call(office.getStaff, { as: { token } }), 401)
  const as = await officeTokenOf(app, administrator)
  expect((await app.call(office.getStaff, { as })).lacksSecondFactor).toBe(true)
})

describe('the sessions of staff', () => {
  test('end, except for the one that requests it', async ({ app }) => {
    const teacher = await app.anOfficeTeacher()
    const [here, there] = [await officeTokenOf(app, teacher), await officeTokenOf(app, teacher)]
    const { accessToken: token } = await app.call(office.endOtherSessions, { as: here })
    for (const as of [here, there]) {
      await expectRefused(app.call(office.getStaff, { as }), 401)
    }
    await app.call(office.getStaff, { as: { token } })
  })

  test('end with a new password, which requires the old one', async ({ app }) => {
    const teacher = await app.anOfficeTeacher()
    const as = await officeTokenOf(app, teacher)
    const newPassword = 'a password of her own'
    const change = (password: string) =>
      app.call(office.changeOfficePassword, { as, body: { password, newPassword } })
    await expectCode(change('wrong'), 'wrong_password')
    const { accessToken: token } = await change(PASSWORD)
    await expectRefused(app.call(office.getStaff, { as }), 401)
    await app.call(office.getStaff, { as: { token } })
    await expectCode(logInToOffice(app, teacher), 'wrong_credentials')
    await logInToOffice(app, teacher, undefined, newPassword)
  })
})
