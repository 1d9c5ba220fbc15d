import { expect, test } from 'vitest'
import { maskedText } from '../../src/rules/masked-text.ts'

test.each([
  ['هل فيه إصلاح؟\nhttps://karras.tn/shop-details/12', 'هل فيه إصلاح؟'],
  ['Corrigé ?\nhttps://karras.tn/fr/shop-details/12/', 'Corrigé ?'],
  [
    'Et https://karras.tn/shop-details/123 ? https://karras.tn/shop-details/12',
    'Et https://karras.tn/shop-details/123 ?',
  ],
  ['Voir https://karras.tn/payment/transfer/0123456789abcdef, merci', 'Voir […] merci'],
  ['Écrivez à amal.ben+x@mail.example.tn.', 'Écrivez à […].'],
  ['رقمي 20 123 456 أو +216 98-765-432', 'رقمي […] أو […]'],
  ['رقمي ٢٠١٢٣٤٥٦', 'رقمي […]'],
  ['RIB 08 006 0230110004567 89', 'RIB […]'],
  [
    'Pour 2025-2026, 6ᵉ année, 12.500 DT, page 120',
    'Pour 2025-2026, 6ᵉ année, 12.500 DT, page 120',
  ],
  ['https://karras.tn/shop-details/12', ''],
])('%s', (written, masked) => {
  expect(maskedText(written, 12)).toBe(masked)
})

test('pathological text is masked in time', () => {
  for (const piece of ['1 ', 'a@', 'http://', '@a.', '1-(', 'https://a/shop-details/1']) {
    expect(maskedText(piece.repeat(4000 / piece.length))).toBeDefined()
  }
})
