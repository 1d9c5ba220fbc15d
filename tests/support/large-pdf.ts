import { randomBytes } from 'node:crypto'
import { aPdf } from './pdf.ts'

/** A valid PDF of about so many bytes, most of them an image that no page shows. */
export function aLargePdf(bytes: number, pages: number): Buffer {
  const pdf = aPdf('Large', pages).toString('latin1')
  const side = Math.floor(Math.sqrt(bytes))
  const [, number = '1'] = /\/Size (\d+)/.exec(pdf) ?? []
  const [, previous] = /startxref\n(\d+)/.exec(pdf) ?? []
  const head = `${number} 0 obj\n<< /Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${side * side} >>\nstream\n`
  const start = Buffer.from(pdf + head, 'latin1')
  const body = Buffer.concat([
    start,
    randomBytes(side * side),
    Buffer.from('\nendstream\nendobj\n'),
  ])
  const entry = `${String(pdf.length).padStart(10, '0')} 00000 n \n`
  return Buffer.concat([
    body,
    Buffer.from(
      `xref\n${number} 1\n${entry}trailer\n<< /Size ${Number(number) + 1} /Root 1 0 R /Prev ${previous} >>\n` +
        `startxref\n${body.length}\n%%EOF\n`,
    ),
  ])
}
