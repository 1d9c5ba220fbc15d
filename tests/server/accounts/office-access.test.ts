import { describe, expect } from 'vitest'
import { logIn, logOut } from '../../../src/contract/accounts.ts'
import * as office from '../../../src/contract/office-access.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/rules/durations.ts'
import { TOKEN_LIFETIME_MS } from '../../../src/server/http/identity.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { authenticatorCode } from '../../support/authenticator.ts'
import { PASSWORD, type Person } from '../../support/factories.ts'
import {
  claimsOf,
  codeNow,
  logged,
  logInToOffice,
  officeTokenOf,
  REAL,
  STEP_MS,
  setUp,
} from '../../support/office-access.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { office as officeCommand } from '../../support/staff.ts'
import { test } from '../../support/test.ts'

/** A teacher with a second factor. */
async function aProtectedTeacher(app: TestApp) {
  const teacher = await app.anOfficeTeacher()
  return { teacher, ...(await setUp(app, await officeTokenOf(app, teacher))) }
}

const expectWrongCode = (app: TestApp, person: Person, code?: string) =>
  expectCode(logInToOffice(app, person, code), 'wrong_code')

describe('POST /api/office/login', () => {
  test('returns an office token for 12 hours, by e-mail', async ({ app }) => {
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
    const entry = { actor: `user ${teacher.id}`, action: 'log in', subject: `user ${teacher.id}` }
    expect(await logged(app)).toEqual([entry])
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
    const blocked = app.kysely.updateTable('users').set({ blockedAt: new Date() })
    await blocked.where('id', '=', teacher.id).execute()
    await expectCode(logInToOffice(app, teacher), 'account_blocked')
    await expectCode(logInToOffice(app, teacher, undefined, 'wrong'), 'wrong_credentials')
  })

  test('counts attempts together with those of the shop', async () => {
    const logInsOfAccountAndAddress = { max: 3, windowMs: 15 * MINUTE_MS }
    const app = await testApp({ allowances: { ...ALLOWANCES, logInsOfAccountAndAddress } })
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
  const reset = async (...typed: string[]) => {
    const { exit, err } = await officeCommand(app, ['second-factor', 'reset', ...typed])
    return [exit, err]
  }
  expect(await reset('nobody@karras.test')).toEqual([1, expect.any(String)])
  expect(await reset(administrator.email, '--reason', 'lost phone')).toEqual([0, ''])
  expect(await reset(administrator.email)).toEqual([
    1,
    `${administrator.email} has no second factor.`,
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

describe('the second factor', () => {
  test('is requested after the password; no code is accepted twice', async ({ app }) => {
    const teacher = await app.anOfficeTeacher()
    const before = await officeTokenOf(app, teacher)
    const { secret, uri, qr, recoveryCodes, token } = await setUp(app, before)
    expect(uri).toBe(
      `otpauth://totp/Karras:${encodeURIComponent(teacher.email)}?secret=${secret}&issuer=Karras`,
    )
    expect(qr).toMatch(/^<svg [\s\S]*<\/svg>\s*$/)
    expect(new Set(recoveryCodes).size).toBe(10)
    // Earlier sessions have ended; the one that set it up continues.
    await expectRefused(app.call(office.getStaff, { as: before }), 401)
    expect(claimsOf({ token }).factors).toBe(2)
    expect(await app.call(office.getSecondFactor, { as: { token } })).toEqual({
      isOn: true,
      isNeeded: false,
      recoveryCodesLeft: 10,
    })

    expect(await logInToOffice(app, teacher)).toEqual({ accessToken: null })
    await expectWrongCode(app, teacher, '000000')
    const code = codeNow(app, secret)
    const spaced = ` ${code.slice(0, 3)} ${code.slice(3)}`
    expect(claimsOf(await officeTokenOf(app, teacher, spaced))).toMatchObject({ factors: 2 })
    await expectWrongCode(app, teacher, code)
    app.travel(STEP_MS)
    // In Arabic digits, and twice concurrently.
    const next = codeNow(app, secret).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')
    const both = await Promise.allSettled([
      logInToOffice(app, teacher, next),
      logInToOffice(app, teacher, next),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('accepts a code of the previous or next step, and no older one', async ({ app }) => {
    const { teacher, secret } = await aProtectedTeacher(app)
    app.travel(10 * STEP_MS)
    const now = app.deps.now()
    await expectWrongCode(app, teacher, authenticatorCode(secret, now - 2 * STEP_MS))
    await officeTokenOf(app, teacher, authenticatorCode(secret, now - STEP_MS))
    await officeTokenOf(app, teacher, authenticatorCode(secret, now + STEP_MS))
    // Later codes invalidate those before them.
    await expectRefused(logInToOffice(app, teacher, authenticatorCode(secret, now)), 403)
  })

  test('accepts each recovery code once, in any spelling', async ({ app }) => {
    const { teacher, recoveryCodes, token } = await aProtectedTeacher(app)
    const [first = '', second = ''] = recoveryCodes
    await officeTokenOf(app, teacher, first)
    await expectWrongCode(app, teacher, first)
    const spelled = second.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')
    await officeTokenOf(app, teacher, spelled)
    const as = { token }
    expect((await app.call(office.getSecondFactor, { as })).recoveryCodesLeft).toBe(8)

    const body = { password: PASSWORD, code: recoveryCodes[2] ?? '' }
    const renewed = await app.call(office.renewRecoveryCodes, { as, body })
    await expectWrongCode(app, teacher, recoveryCodes[3])
    await officeTokenOf(app, teacher, renewed.recoveryCodes[0])
    const kept = await app.kysely.selectFrom('recoveryCodes').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(renewed.recoveryCodes[1])
  })

  test('prevents guessing: ten codes an hour', async ({ app }) => {
    const { teacher, secret } = await aProtectedTeacher(app)
    const answers = await Promise.allSettled(
      Array.from({ length: 14 }, (_, n) => logInToOffice(app, teacher, `00000${n % 10}`)),
    )
    const codes = answers.map((answer) => (answer as PromiseRejectedResult).reason.code)
    expect(codes.filter((code) => code === 'wrong_code')).toHaveLength(10)
    await expectRefused(logInToOffice(app, teacher, codeNow(app, secret)), 429)
    app.travel(HOUR_MS)
    await officeTokenOf(app, teacher, codeNow(app, secret))
  })

  test('must be set up by an administrator in production before anything else', async () => {
    const app = await testApp({ env: REAL })
    const administrator = await app.anAdministrator()
    const before = await officeTokenOf(app, administrator)
    const lacking = { role: 'ADMIN', teacherId: null, lacksSecondFactor: true }
    expect(await app.call(office.getStaff, { as: before })).toMatchObject(lacking)
    const newPassword = 'another password'
    await expectCode(
      app.call(office.changeOfficePassword, {
        as: before,
        body: { password: PASSWORD, newPassword },
      }),
      'second_factor_missing',
    )
    const { secret, token } = await setUp(app, before)
    expect((await app.call(office.getStaff, { as: { token } })).lacksSecondFactor).toBe(false)
    await expectCode(
      app.call(office.turnOffSecondFactor, {
        as: { token },
        body: { password: PASSWORD, code: codeNow(app, secret) },
      }),
      'second_factor_needed',
    )
    expect((await app.call(office.getSecondFactor, { as: { token } })).isNeeded).toBe(true)
  })

  test('moves to another phone, and stays valid until the new one was tried', async () => {
    const app = await testApp({ env: REAL })
    const administrator = await app.anAdministrator()
    const old = await setUp(app, await officeTokenOf(app, administrator))
    const start = (code?: string) =>
      app.call(office.startSecondFactor, { as: old, body: { password: PASSWORD, code } })
    await expectCode(start(), 'wrong_code')
    await start(codeNow(app, old.secret))
    app.travel(STEP_MS)
    await officeTokenOf(app, administrator, codeNow(app, old.secret))
    app.travel(STEP_MS)
    const { secret, recoveryCodes } = await setUp(app, old, codeNow(app, old.secret))
    expect(secret).not.toBe(old.secret)
    await expectWrongCode(app, administrator, codeNow(app, old.secret))
    await expectWrongCode(app, administrator, old.recoveryCodes[0])
    await officeTokenOf(app, administrator, recoveryCodes[0])
  })

  test('requires password and code to turn off or set up', async ({ app }) => {
    const teacher = await app.anOfficeTeacher()
    const as = await officeTokenOf(app, teacher)
    await expectCode(
      app.call(office.startSecondFactor, { as, body: { password: 'wrong' } }),
      'wrong_password',
    )
    await expectCode(
      app.call(office.turnOffSecondFactor, { as, body: { password: PASSWORD, code: '123456' } }),
      'second_factor_off',
    )
    await app.call(office.startSecondFactor, { as, body: { password: PASSWORD } })
    // As many characters as a code, once in more bytes.
    for (const code of ['123456', '١é3456']) {
      await expectCode(app.call(office.confirmSecondFactor, { as, body: { code } }), 'wrong_code')
    }
    const { secret, token } = await setUp(app, as)
    const off = (password: string, code: string) =>
      app.call(office.turnOffSecondFactor, { as: { token }, body: { password, code } })
    await expectCode(off('wrong', codeNow(app, secret)), 'wrong_password')
    await expectCode(off(PASSWORD, '000000'), 'wrong_code')
    await off(PASSWORD, codeNow(app, secret))
    await officeTokenOf(app, teacher)
    expect((await logged(app)).map(({ action }) => action)).toEqual([
      'log in',
      'set up second factor',
      'turn off second factor',
      'log in',
    ])
  })

  test('keeps its secret from readers of the database, and waits half an hour for the first code', async ({
    app,
  }) => {
    const as = await officeTokenOf(app, await app.anOfficeTeacher())
    const body = { password: PASSWORD }
    const { secret } = await app.call(office.startSecondFactor, { as, body })
    const setups = await app.kysely.selectFrom('secondFactorSetups').selectAll().execute()
    expect(JSON.stringify(setups)).not.toContain(secret)
    app.travel(31 * MINUTE_MS)
    await expectCode(
      app.call(office.confirmSecondFactor, { as, body: { code: codeNow(app, secret) } }),
      'wrong_code',
    )
  })

  test('of a shop with another secret accepts recovery codes only', async ({ app }) => {
    const { teacher, secret, recoveryCodes } = await aProtectedTeacher(app)
    const secretAfterRestore = new TextEncoder().encode('another secret')
    Object.assign(app.deps, { secret: secretAfterRestore })
    await expectWrongCode(app, teacher, codeNow(app, secret))
    await officeTokenOf(app, teacher, recoveryCodes[0])
  })
})
