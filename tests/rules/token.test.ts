import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isParent, readToken } from '../../src/rules/token.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (payload: unknown) => `${encode({ alg: 'HS256' })}.${encode(payload)}.signature`
const payload = { userId: 7, authorities: ['PARENT'], exp: 1000 }

describe('readToken', () => {
  test('reads the payload until it expires', () => {
    expect(readToken(tokenOf({ ...payload, name: 'أحمد?>' }), 999_999)).toEqual(payload)
    expect(readToken(tokenOf(payload), 1_000_000)).toBeNull()
  })

  test.each([
    '',
    'x',
    'a.b.c',
    '..',
    tokenOf(null),
    tokenOf([]),
    tokenOf({ ...payload, exp: undefined }),
    tokenOf({ ...payload, exp: '1000' }),
    tokenOf({ ...payload, userId: '7' }),
    tokenOf({ ...payload, authorities: 'PARENT' }),
  ])('%j counts as logged out', (token) => {
    expect(readToken(token, 0)).toBeNull()
  })

  test('reads any text without throwing', () => {
    fc.assert(fc.property(fc.string(), (text) => readToken(`a.${text}.b`, 0) === null))
  })
})

test('the authority PARENT makes a customer', () => {
  expect(isParent({ authorities: ['X', 'PARENT'] })).toBe(true)
  expect(isParent({ authorities: ['TEACHER'] })).toBe(false)
  expect(isParent({ authorities: [] })).toBe(false)
})
