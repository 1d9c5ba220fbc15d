import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentDisposition, downloadName } from '../../src/rules/downloads.ts'

/** A title in the forms that an old PDF of Arabic has, and in letters. */
const FORMS = 'ﺗﻤﺎﺭﻳﻦ ﺍﻟﺮﻳﺎﺿﻴﺎﺕ ﻟﻠﺴﻨﺔ ﺍﻟﺴﺎﺩﺳﺔ ﺍﺑﺘﺪﺍﺋﻲ ﻣﻊ ﺍﻹﺻﻼﺡ'
const PLAIN = 'تمارين الرياضيات للسنة السادسة ابتدائي مع الإصلاح'

const titles = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('م', 'é', 'ﷺ', '한', '𝐀', 'x', ' '),
    minLength: 60,
    maxLength: 300,
  }),
)

describe('downloadName', () => {
  test.each([
    ['Algebra 1', 'pdf', 'Algebra 1.pdf', 'Algebra 1.pdf'],
    ['Élève: résumé (n°2)', 'pdf', 'Eleve resume n 2.pdf', 'Élève résumé n 2.pdf'],
    ['Éle\u0300ve', 'pdf', 'Eleve.pdf', 'Élève.pdf'],
    ['تمارين في الرياضيات!', 'pdf', 'document.pdf', 'تمارين في الرياضيات.pdf'],
    [
      'Économie - l’entreprise',
      'pdf',
      "Economie - l'entreprise.pdf",
      'Économie - l’entreprise.pdf',
    ],
    [
      "Économie – l'entreprise",
      'pdf',
      "Economie - l'entreprise.pdf",
      'Économie - l’entreprise.pdf',
    ],
    ['Maths 2024-2025', 'pdf', 'Maths 2024-2025.pdf', 'Maths 2024-2025.pdf'],
    [
      'Maths 2024‑2025, 2024–2025',
      'pdf',
      'Maths 2024-2025 2024-2025.pdf',
      'Maths 2024-2025 2024-2025.pdf',
    ],
    ['Devoir 2024/2025', 'pdf', 'Devoir 2024-2025.pdf', 'Devoir 2024-2025.pdf'],
    ['Version 3.5.', 'pdf', 'Version 3.5.pdf', 'Version 3.5.pdf'],
    ['Note 12,5 et ١٢٫٥', 'pdf', 'Note 12,5 et 12,5.pdf', 'Note 12,5 et ١٢,٥.pdf'],
    [
      'Français,arabe : l’oral  et «l’écrit»…',
      'pdf',
      "Francais arabe l'oral et l'ecrit.pdf",
      'Français arabe l’oral et l’écrit.pdf',
    ],
    ['‘citation’ d’un cœur', 'pdf', "citation d'un coeur.pdf", 'citation d’un cœur.pdf'],
    ['Aire en m² : ½', 'pdf', 'Aire en m2 1-2.pdf', 'Aire en m2 1-2.pdf'],
    ['تمارين 3.5 - السنة السادسة‏', 'pdf', '3.5.pdf', 'تمارين 3.5 - السنة السادسة.pdf'],
    ['مُدرِّس', 'pdf', 'document.pdf', 'مدرس.pdf'],
    ['امتحان 2024', 'PDF', '2024.pdf', 'امتحان 2024.pdf'],
    ['a/b\\c:d*e?"f<g>|h', '.pdf', 'a-b-c d e f g h.pdf', 'a-b-c d e f g h.pdf'],
    ['../../etc/passwd', 'application/pdf', 'etc-passwd.pdf', 'etc-passwd.pdf'],
    ['line\r\nbreak', 'pdf', 'line break.pdf', 'line break.pdf'],
    ['snake_case-name', 'docx', 'snake_case-name.docx', 'snake_case-name.docx'],
    ['!!!', 'pdf', 'document.pdf', 'document.pdf'],
    ['---', 'pdf', 'document.pdf', 'document.pdf'],
    ['', '', 'document', 'document'],
    ['a', 'p"d\nf', 'a.pdf', 'a.pdf'],
    ['x'.repeat(300), 'pdf', `${'x'.repeat(251)}.pdf`, `${'x'.repeat(251)}.pdf`],
    // Letters of two bytes, the last of which does not fit.
    ['م'.repeat(300), 'pdf', 'document.pdf', `${'م'.repeat(125)}.pdf`],
    [`${'x'.repeat(250)} y`, 'pdf', `${'x'.repeat(250)}.pdf`, `${'x'.repeat(250)}.pdf`],
    // As copied from an old PDF of Arabic.
    ['ﺗﻤﺎﺭﻳﻦ ﺍﻹﺻﻼﺡ ﷲ ﬁn', 'pdf', 'fin.pdf', 'تمارين الإصلاح الله fin.pdf'],
  ])('of %j, %j', (title, type, ascii, utf8) => {
    expect(downloadName(title, type)).toEqual({ ascii, utf8 })
  })

  test('of a title in presentation forms has all its words', () => {
    const { utf8 } = downloadName(`${FORMS} `.repeat(3).trim(), 'pdf')
    expect(utf8).toBe(
      `${`${PLAIN} `.repeat(2)}${PLAIN.slice(0, utf8.length - 2 * PLAIN.length - 6)}.pdf`,
    )
    expect(Buffer.byteLength(utf8)).toBeLessThanOrEqual(255)
  })

  test('fits any file system and any header, whatever the title', () => {
    fc.assert(
      fc.property(titles, fc.string(), (title, type) => {
        const { ascii, utf8 } = downloadName(title, type)
        expect(ascii).toMatch(/^(?!\.)[\w .,'-]*[\w-](\.[a-z\d]+)?$/)
        expect(utf8).toMatch(/^(?!\.)[\p{L}\p{Nd} _.,’-]*[\p{L}\p{Nd}_-](\.[a-z\d]+)?$/u)
        for (const name of [ascii, utf8]) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
        for (const name of [ascii, utf8]) expect(name).not.toMatch(/ {2}|\.\.|^ | $/)
        expect(contentDisposition(title, type)).toMatch(/^[\x20-\x7e]+$/)
      }),
    )
  })
})

test('contentDisposition carries both names', () => {
  expect(contentDisposition('درس 1', 'pdf')).toBe(
    `attachment; filename="1.pdf"; filename*=UTF-8''%D8%AF%D8%B1%D8%B3%201.pdf`,
  )
})
