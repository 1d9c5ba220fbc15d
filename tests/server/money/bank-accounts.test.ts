import { describe, expect, test } from 'vitest'
import { getBankAccount } from '../../../src/contract/payouts.ts'
import { readableRib } from '../../../src/rules/rib.ts'
import { aSeller, give, RIB } from '../../support/payouts.ts'
import { expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp({ env: { SITE_URL: 'http://127.0.0.1:4321' } })

describe('a bank account', () => {
  test('is stored as digits, once per change', async () => {
    const { teacher } = await aSeller(app)
    expect(await app.call(getBankAccount, { as: teacher })).toEqual({ account: null })
    const account = { holder: 'Sami Trabelsi', rib: RIB }
    expect(await give(app, teacher, { ...account, rib: readableRib(RIB) })).toEqual({ account })
    await give(app, teacher, account)
    expect(await app.call(getBankAccount, { as: teacher })).toEqual({ account })
    const log = await logOf(app, `teacher ${teacher.teacherId}`)
    expect(log).toEqual([{ actor: `user ${teacher.id}`, action: 'set bank account', reason: RIB }])
  })

  test('without check digits, or without a holder, is refused', async () => {
    const { teacher } = await aSeller(app)
    for (const [body, field] of [
      [{ holder: 'Sami', rib: `${'0'.repeat(18)}96` }, { rib: 'pattern' }],
      [{ holder: 'Sami', rib: '' }, { rib: 'required' }],
      [{ holder: ' ', rib: RIB }, { holder: 'required' }],
    ] as const) {
      const refusal = give(app, teacher, body)
      await expectRefused(refusal, 400, 'invalid_input', { fields: field })
    }
  })
})
