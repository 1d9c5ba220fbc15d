import { describe, expect } from 'vitest'
import * as office from '../../../src/contract/office-access.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { testApp } from '../../support/app.ts'
import { authenticatorCode } from '../../support/authenticator.ts'
import { PASSWORD } from '../../support/factories.ts'
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
import { test } from '../../support/test.ts'

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
    await expectCode(logInToOffice(app, teacher, '000000'), 'wrong_code')
    const code = codeNow(app, secret)
    expect(
      claimsOf(await officeTokenOf(app, teacher, ` ${code.slice(0, 3)} ${code.slice(3)}`)),
    ).toEqual(expect.objectContaining({ factors: 2 }))
    await expectCode(logInToOffice(app, teacher, code), 'wrong_code')
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
    const teacher = await app.anOfficeTeacher()
    const { secret } = await setUp(app, await officeTokenOf(app, teacher))
    app.travel(10 * STEP_MS)
    const now = app.deps.now()
    await expectCode(
      logInToOffice(app, teacher, authenticatorCode(secret, now - 2 * STEP_MS)),
      'wrong_code',
    )
    await officeTokenOf(app, teacher, authenticatorCode(secret, now - STEP_MS))
    await officeTokenOf(app, teacher, authenticatorCode(secret, now + STEP_MS))
    // Later codes invalidate those before them.
    await expectRefused(logInToOffice(app, teacher, authenticatorCode(secret, now)), 403)
  })

  test('accepts each recovery code once, in any spelling', async ({ app }) => {
    const teacher = await app.anOfficeTeacher()
    const { recoveryCodes, token } = await setUp(app, await officeTokenOf(app, teacher))
    const [first = '', second = ''] = recoveryCodes
    await officeTokenOf(app, teacher, first)
    await expectCode(logInToOffice(app, teacher, first), 'wrong_code')
    await officeTokenOf(
      app,
      teacher,
      second.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'),
    )
    const state = await app.call(office.getSecondFactor, { as: { token } })
    expect(state.recoveryCodesLeft).toBe(8)

    const renewed = await app.call(office.renewRecoveryCodes, {
      as: { token },
      body: { password: PASSWORD, code: recoveryCodes[2] ?? '' },
    })
    await expectCode(logInToOffice(app, teacher, recoveryCodes[3]), 'wrong_code')
    await officeTokenOf(app, teacher, renewed.recoveryCodes[0])
    const kept = await app.deps.database.kysely.selectFrom('recoveryCodes').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(renewed.recoveryCodes[1])
  })

  test('prevents guessing: ten codes an hour', async ({ app }) => {
    const teacher = await app.anOfficeTeacher()
    const { secret } = await setUp(app, await officeTokenOf(app, teacher))
    const tries = Array.from({ length: 14 }, (_, n) =>
      logInToOffice(app, teacher, `00000${n % 10}`),
    )
    const answers = await Promise.allSettled(tries)
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
    expect(await app.call(office.getStaff, { as: before })).toMatchObject({
      role: 'ADMIN',
      teacherId: null,
      lacksSecondFactor: true,
    })
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
    expect(await app.call(office.getSecondFactor, { as: { token } })).toMatchObject({
      isNeeded: true,
    })
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
    await expectCode(logInToOffice(app, administrator, codeNow(app, old.secret)), 'wrong_code')
    await expectCode(logInToOffice(app, administrator, old.recoveryCodes[0]), 'wrong_code')
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
    await expectCode(
      app.call(office.confirmSecondFactor, { as, body: { code: '123456' } }),
      'wrong_code',
    )
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
    const { secret } = await app.call(office.startSecondFactor, {
      as,
      body: { password: PASSWORD },
    })
    const { kysely } = app.deps.database
    const setups = await kysely.selectFrom('secondFactorSetups').selectAll().execute()
    expect(JSON.stringify(setups)).not.toContain(secret)
    app.travel(31 * MINUTE_MS)
    await expectCode(
      app.call(office.confirmSecondFactor, { as, body: { code: codeNow(app, secret) } }),
      'wrong_code',
    )
  })

  test('of a shop with another secret accepts recovery codes only', async ({ app }) => {
    const teacher = await app.anOfficeTeacher()
    const { secret, recoveryCodes } = await setUp(app, await officeTokenOf(app, teacher))
    Object.assign(app.deps, {
      secret: new TextEncoder().encode('another secret, as after a restore'),
    })
    await expectCode(logInToOffice(app, teacher, codeNow(app, secret)), 'wrong_code')
    await officeTokenOf(app, teacher, recoveryCodes[0])
  })
})
