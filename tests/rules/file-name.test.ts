import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentDisposition, downloadName } from '../../src/rules/file-name.ts'

describe('downloadName', () => {
  test.each([
    ['Algebra 1', 'pdf', 'Algebra 1.pdf', 'Algebra 1.pdf'],
    ['Élève: résumé (n°2)', 'pdf', 'Eleve resume n2.pdf', 'Élève résumé n2.pdf'],
    ['Éle\u0300ve', 'pdf', 'Eleve.pdf', 'Élève.pdf'],
    ['تمارين في الرياضيات!', 'pdf', 'document.pdf', 'تمارين في الرياضيات.pdf'],
    ['امتحان 2024', 'PDF', '2024.pdf', 'امتحان 2024.pdf'],
    ['a/b\\c:d*e?"f<g>|h', '.pdf', 'abcdefgh.pdf', 'abcdefgh.pdf'],
    ['../../etc/passwd', 'application/pdf', 'etcpasswd.pdf', 'etcpasswd.pdf'],
    ['line\r\nbreak', 'pdf', 'linebreak.pdf', 'linebreak.pdf'],
    ['snake_case-name', 'docx', 'snake_case-name.docx', 'snake_case-name.docx'],
    ['!!!', 'pdf', 'document.pdf', 'document.pdf'],
    ['---', 'pdf', 'document.pdf', 'document.pdf'],
    ['', '', 'document', 'document'],
    ['a', 'p"d\nf', 'a.pdf', 'a.pdf'],
    ['x'.repeat(300), 'pdf', `${'x'.repeat(100)}.pdf`, `${'x'.repeat(100)}.pdf`],
  ])('of %j, %j', (title, type, ascii, utf8) => {
    expect(downloadName(title, type)).toEqual({ ascii, utf8 })
  })

  test('fits any file system and any header, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (title, type) => {
        const { ascii, utf8 } = downloadName(title, type)
        expect(ascii).toMatch(/^[\w -]+(\.[a-z\d]+)?$/)
        expect(utf8).toMatch(/^[\p{L}\p{Nd} _-]+(\.[a-z\d]+)?$/u)
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
