import { constants, deflateSync } from 'node:zlib'
import { packedZeros, pdfOf } from '../support/uploads.ts'

// Small PDFs that exhaust any program that opens them.

/** How deep forms draw forms, and how often each draws the next: 6⁶ drawings of a whole page. */
const DEPTH = 6
const WIDTH = 6

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 595 842]'
const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>'

/** A PDF whose first page is harmless, and each other page draws forms that draw forms. */
export function nestedForms(pages: number): Buffer {
  const firstForm = 4 + pages
  const kids = Array.from({ length: pages }, (_, at) => `${4 + at} 0 R`)
  return pdfOf([
    CATALOGUE,
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] /MediaBox [0 0 595 842] >>`,
    { dictionary: '', data: Buffer.from('/F Do') },
    ...kids.map((_, at) => {
      const drawing = `/Contents 3 0 R /Resources << /XObject << /F ${firstForm} 0 R >> >>`
      return `<< /Type /Page /Parent 2 0 R ${at === 0 ? '/Resources << >>' : drawing} >>`
    }),
    ...Array.from({ length: DEPTH }, (_, at) => ({
      dictionary: `${FORM} /Resources << /XObject << /F ${firstForm + at + 1} 0 R >> >>`,
      data: Buffer.from('/F Do '.repeat(WIDTH)),
    })),
    {
      dictionary: `${FORM} /Group << /S /Transparency >> /Resources << /ExtGState << /G << /ca 0.5 >> >> >>`,
      data: Buffer.from('/G gs 0 0 595 842 re f'),
    },
  ])
}

/**
 * A PDF whose page is one of the objects of an object stream that unpacks to so many bytes, as its
 * index (a stream too) says.
 */
export function hugeObjects(bytes: number): Buffer {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>'
  const first = Buffer.from(`3 0 ${page} `)
  // The first piece of zlib bytes has the page, the others follow it.
  const start = deflateSync(first, { finishFlush: constants.Z_FULL_FLUSH })
  const data = Buffer.concat([start, packedZeros(bytes).subarray(2)])
  const bodies = [
    `1 0 obj\n${CATALOGUE}\nendobj\n`,
    '2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n',
    `4 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream\nendobj\n`,
  ]
  let file = '%PDF-1.5\n'
  const places = bodies.map((body) => {
    const place = file.length
    file += body
    return place
  })
  const [catalogue = 0, pages = 0, objects = 0] = places
  const index = file.length
  const rows: [type: number, place: number, within: number][] = [
    [0, 0, 0],
    [1, catalogue, 0],
    [1, pages, 0],
    [2, 4, 0],
    [1, objects, 0],
    [1, index, 0],
  ]
  const entries = rows.map(([type, place, within]) => {
    const entry = Buffer.alloc(6)
    entry.writeUInt8(type, 0)
    entry.writeUInt32BE(place, 1)
    entry.writeUInt8(within, 5)
    return entry.toString('latin1')
  })
  file += `5 0 obj\n<< /Type /XRef /W [1 4 1] /Size 6 /Root 1 0 R /Length ${6 * rows.length} >>\nstream\n${entries.join('')}\nendstream\nendobj\nstartxref\n${index}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

/** A PDF whose pages each have so many letters ئ as their text. */
export function hamzas(pages: number, letters: number): Buffer {
  const map = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '1 begincodespacerange <00> <ff> endcodespacerange',
    '1 beginbfchar <41> <0626> endbfchar',
    'endcmap end end',
  ].join('\n')
  const kids = Array.from({ length: pages }, (_, at) => `${6 + at} 0 R`)
  return pdfOf([
    CATALOGUE,
    `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] /MediaBox [0 0 595 842] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 4 0 R >>',
    { dictionary: '', data: Buffer.from(map) },
    {
      dictionary: '/Filter /FlateDecode',
      data: deflateSync(Buffer.from(`BT /F1 0.01 Tf 20 820 Td (${'A'.repeat(letters)}) Tj ET`)),
    },
    ...kids.map(
      () =>
        '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    ),
  ])
}
