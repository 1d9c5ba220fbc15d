import sharp from 'sharp'
import { pixelsOf } from '../../src/server/library/reading/draw-page.ts'
import { openPdfium } from '../../src/server/library/safety/pdfium.ts'
import type { Exam } from './exams.ts'
import { pdfOf } from './uploads.ts'

type PdfObject = Parameters<typeof pdfOf>[0][number]

const stream = (data: Buffer, dictionary = '') => ({ dictionary, data })

/** A4 pages, each with its instructions and one resource, which is object `5 + 3 * page`. */
function pdf(pages: readonly { drawn: string; name: string; resource: PdfObject }[]): Buffer {
  const first = 3
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${first + at * 3} 0 R`).join(' ')}] >>`,
    ...pages.flatMap(({ drawn, name, resource }, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${first + at * 3 + 1} 0 R /Resources << ${name.replace('@', `${first + at * 3 + 2} 0 R`)} >> >>`,
      stream(Buffer.from(drawn, 'latin1')),
      resource,
    ]),
  ])
}

/** A French exam as a word processor prints it. */
export function examPdf({ pages }: Exam): Buffer {
  const plain = (line: string) =>
    line
      .replaceAll('’', "'")
      .replaceAll('−', '-')
      .replace(/[\\()]/g, '\\$&')
  return pdf(
    pages.map((page) => {
      const lines = page.split('\n')
      const drawn = lines.map((line) => `(${plain(line)}) Tj 0 -${16 + (line.length % 4) * 6} Td`)
      return {
        drawn: `BT /F 8 Tf 50 790 Td ${drawn.join(' ')} ET`,
        name: '/Font << /F @ >>',
        resource:
          '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      }
    }),
  )
}

/** The pages of a PDF from a scanner: pictures without words, a little askew and pale. */
export async function scannedPdf(file: Buffer): Promise<Buffer> {
  const document = await (await openPdfium()).loadDocument(file)
  const scans = []
  for (const page of document.pages()) {
    const { data, width, height } = pixelsOf(page)
    const drawn = await sharp(data, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .rotate(0.4, { background: '#fff' })
      .resize(width, height, { fit: 'fill' })
      .blur(1)
      .linear(0.8, 30)
      .jpeg({ quality: 60 })
      .toBuffer()
    const dictionary = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`
    scans.push({
      drawn: 'q 595 0 0 842 0 0 cm /I Do Q',
      name: '/XObject << /I @ >>',
      resource: stream(drawn, dictionary),
    })
  }
  document.destroy()
  return pdf(scans)
}
