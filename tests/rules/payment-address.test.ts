import { describe, expect, test } from 'vitest'
import { safePaymentUrl } from '../../src/rules/return-to.ts'

const SHOP = ['http://127.0.0.1:4321', 'https://karras.example']

describe('safePaymentUrl', () => {
  test.each([
    ['https://gateway.konnect.network/pay?payment_ref=1', undefined],
    ['http://127.0.0.1:4321/payment/sandbox/abc', undefined],
    ['https://karras.example/pay', undefined],
    ['/payment/sandbox/abc', 'http://127.0.0.1:4321/payment/sandbox/abc'],
  ])('accepts %s', (address, is = address) => {
    expect(safePaymentUrl(address, SHOP)).toBe(is)
  })

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:http://127.0.0.1:4321/x',
    'http://evil.example/',
    'http://127.0.0.1:4322/',
    '//evil.example/',
    'http://127.0.0.1:4321@evil.example/',
    'https://gateway.example:secret@evil.example/',
    'http://',
    '',
    null,
    7,
  ])('refuses %j', (address) => {
    expect(safePaymentUrl(address, SHOP)).toBeNull()
  })
})
