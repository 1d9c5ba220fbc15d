import { describe, expect, test } from 'vitest'
import { codeIn, EMPTY_CODE, mistakesIn } from '../../src/office/codes/terms.ts'
import { dinars } from '../../src/rules/money.ts'

describe('the form of a new code', () => {
  // 30 November, 00:30 in Tunisia.
  const now = Date.parse('2026-11-29T23:30:00Z')
  const asked = { now, hasReason: false }
  const right = { ...EMPTY_CODE, code: ' rentree-26 ', percent: '20' }

  test('reads what is typed, with days of Tunisia', () => {
    const typed = { ...right, from: '2026-12-01', until: '2026-12-31', atMost: '5,500' }
    expect(mistakesIn(typed, asked)).toEqual({})
    expect(codeIn({ ...typed, usesMax: '٤٠', scope: 'classes', ids: '3,4' }, now)).toEqual({
      code: 'RENTREE-26',
      percent: 20,
      atMost: dinars(5.5),
      amount: null,
      startsAt: '2026-11-30T23:00:00.000Z',
      endsAt: '2026-12-31T23:00:00.000Z',
      usesMax: 40,
      usesPerPerson: null,
      leastTotal: null,
      scope: { kind: 'classes', ids: [3, 4] },
    })
  })

  test('begins at once and has no end where no days are given', () => {
    const code = codeIn({ ...right, kind: 'amount', amount: '2' }, now)
    expect(code).toMatchObject({ percent: null, atMost: null, amount: dinars(2), endsAt: null })
    expect(code.startsAt).toBe('2026-11-29T23:30:00.000Z')
  })

  test.each([
    [{ code: '' }, { code: 'required' }],
    [{ code: 'AB' }, { code: 'code' }],
    [{ code: 'رمز' }, { code: 'code' }],
    [{ percent: '' }, { percent: 'percent' }],
    [{ percent: '0' }, { percent: 'percent' }],
    [{ percent: '101' }, { percent: 'percent' }],
    [{ percent: '2.5' }, { percent: 'percent' }],
    [{ atMost: '0,2' }, { atMost: 'min' }],
    [{ kind: 'amount', amount: '' }, { amount: 'required' }],
    [{ kind: 'amount', percent: 'x', amount: '1' }, {}],
    [{ until: '2026-11-29' }, { until: 'until' }],
    [{ until: '2026-11-30' }, {}],
    [{ from: '2026-12-02', until: '2026-12-01' }, { until: 'until' }],
    [{ usesMax: '0' }, { usesMax: 'whole' }],
    [{ usesPerPerson: '1000001' }, { usesPerPerson: 'whole' }],
    [{ leastTotal: 'ten' }, { leastTotal: 'pattern' }],
    [{ scope: 'documents' }, { ids: 'ids' }],
    [{ scope: 'documents', ids: '1' }, {}],
  ])('finds the mistake in %j', (typed, mistakes) => {
    expect(mistakesIn({ ...right, ...typed }, asked)).toEqual(mistakes)
  })

  test('needs a reason, and a bound of an order and of a person, of administrators alone', () => {
    const long = 'x'.repeat(1000)
    const ofShop = { ...asked, hasReason: true }
    const required = { atMost: 'required', usesPerPerson: 'required', reason: 'required' }
    expect(mistakesIn(right, ofShop)).toEqual(required)
    const bounded = { ...right, atMost: '5', usesPerPerson: '1' }
    expect(mistakesIn({ ...bounded, reason: long }, ofShop)).toEqual({ reason: 'tooLong' })
    expect(mistakesIn({ ...bounded, reason: 'x' }, ofShop)).toEqual({})
  })
})
