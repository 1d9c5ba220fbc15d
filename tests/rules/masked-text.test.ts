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
  // Digits with anything between them.
  ['98/123/456', '[…]'],
  ['هاتفي ٩٨/١٢٣/٤٥٦ أو ٩٨ـ١٢٣ـ٤٥٦', 'هاتفي […] أو […]'],
  ['98–123–456, 98‑123‑456, 98 - 123 - 456', '[…], […], […]'],
  ['98*123*456 98·123·456 (98)123456', '[…]'],
  ['appelle 9\u200b8\u200f1\u200d2\u00ad3\ufeff4\u20605\u200e6', 'appelle […]'],
  ['98\u202f12\u00a034\u200756', '[…]'],
  ['９８１２３４５６', '[…]'],
  // Addresses without https://.
  ['facebook.com/amal.ben ou wa.me/21698123456', '[…] ou […]'],
  ['Ma page : www.amal.tn.', 'Ma page : […]'],
  ['صفحتي facebook.com/amal، شكرا', 'صفحتي […]، شكرا'],
  ['(instagram.com/amal) et t.me/amal', '([…]) et […]'],
  ['lien:fb.com/amal youtu.be/x bit.ly/abc', '[…] […] […]'],
  ['face\u200bbook.com/amal', '[…]'],
  ['ｆａｃｅｂｏｏｋ．ｃｏｍ／amal', '[…]'],
  ['amal＠mail.tn', '[…]'],
  ['karras.tn/shop-details/12', ''],
  ['karras.tn/fr/shop-details/13', 'karras.tn/fr/shop-details/13'],
  ['https://facebook.com/amal?to=/shop-details/13', '[…]'],
  ['98,123,456 98:123:456 98+123+456 98،123،456', '[…] […] […] […]'],
  ['9812-3456', '[…]'],
  ['//facebook.com/amal http:/facebook.com/amal facebook.com\\amal', '[…] […] […]'],
  ['ftp://amal.tn/x www.amal.shop amal-ben.store', '[…] […] […]'],
  // Nothing of this is an address or a number.
  ['2024 - 2025, 2024 / 2025, ٢٠٢٤ / ٢٠٢٥', '2024 - 2025, 2024 / 2025, ٢٠٢٤ / ٢٠٢٥'],
  ['2024-2025 6ème, devoir 2 2024/2025', '2024-2025 6ème, devoir 2 2024/2025'],
  [
    '2024-2025 (3 exercices), 12/05/2026 100 pages',
    '2024-2025 (3 exercices), 12/05/2026 100 pages',
  ],
  ['bac 2022 2023 2024, 2022/2023/2024', 'bac 2022 2023 2024, 2022/2023/2024'],
  ['12/05/2026 - 13/05/2026, 12 / 05 / 2026', '12/05/2026 - 13/05/2026, 12 / 05 / 2026'],
  ['exercices 1-2-3-4-5-6-7-8 et 12,13,14,15', 'exercices 1-2-3-4-5-6-7-8 et 12,13,14,15'],
  ['pages 12-15 / 18-20', 'pages 12-15 / 18-20'],
  ['M.Ali/Mme Sana, svt.physique/chimie', 'M.Ali/Mme Sana, svt.physique/chimie'],
  ['et/ou, 3/4, M. Ali/Mme Sana, p. 12/15', 'et/ou, 3/4, M. Ali/Mme Sana, p. 12/15'],
  ['le 12/05/2025 14:30, 2025-05-12, 2025/2026', 'le 12/05/2025 14:30, 2025-05-12, 2025/2026'],
  ['Merci.Bonne soirée', 'Merci.Bonne soirée'],
  ['👩\u200d🏫 می\u200cخواهم', '👩\u200d🏫 می\u200cخواهم'],
])('%s', (written, masked) => {
  expect(maskedText(written, 12)).toBe(masked)
})

test('pathological text is masked in time', () => {
  for (const piece of [
    '1 ',
    'a@',
    'http://',
    '@a.',
    '1-(',
    'https://a/shop-details/1',
    '1/',
    '1\u200f',
    'a.',
    ':a.',
    'a.b/',
    '12,',
    '2024-',
    '2024 / ',
    '/a.',
  ]) {
    expect(maskedText(piece.repeat(4000 / piece.length))).toBeDefined()
  }
})
