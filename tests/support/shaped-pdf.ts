import { deflateSync } from 'node:zlib'
import fc from 'fast-check'

/** Content streams that leave graphics state open in different ways. */
const ENDINGS = {
  balanced: '',
  saved: 'q 3 0 0 3 40 40 cm q',
  scaled: '0.1 0 0 0.1 300 300 cm',
  restored: 'Q Q 0.5 0 0 0.5 20 20 cm',
  'in text': 'BT /F1 9 Tf 5 0 0 5 90 200 Tm (open) Tj',
  'in a passage': '/Span BMC q',
  clipped: '0 500 10 10 re W n',
  picture: 'q 30 0 0 30 60 60 cm BI /W 8 /H 2 /BPC 8 /CS /G ID q EI Q( q Q <<[ EI Q',
  'odd words': '(q \\) Q \\( BT) pop % q q q BT\n/q <7120> pop [ (Q) ] pop',
} as const

/** How a PDF is written; each shape is valid, and every page has content. */
export interface Shape {
  readonly index: 'table' | 'stream' | 'packed'
  /** Whether a later revision has replaced the first page. */
  readonly isRevised: boolean
  readonly hasRubbishAtEnd: boolean
  readonly pages: readonly PageShape[]
}

interface PageShape {
  readonly ending: keyof typeof ENDINGS
  readonly rotate: number
  readonly box: readonly [number, number, number, number]
  readonly crop: readonly [number, number, number, number] | null
  readonly contents: 'one' | 'several' | 'listed elsewhere' | 'none'
  readonly isPacked: boolean
  readonly resources: 'own' | 'elsewhere' | 'inherited' | 'with the name taken'
  readonly isBoxInherited: boolean
}

const page: fc.Arbitrary<PageShape> = fc.record({
  ending: fc.constantFrom(...(Object.keys(ENDINGS) as (keyof typeof ENDINGS)[])),
  rotate: fc.constantFrom(0, 90, 180, 270, -90, 450),
  box: fc.constantFrom([0, 0, 595, 842], [-100, 50, 495, 892], [595, 842, 0, 0], [0, 0, 1200, 400]),
  crop: fc.constantFrom(null, [50, 100, 450, 600], [-500, -500, 400, 700]),
  contents: fc.constantFrom('one', 'several', 'listed elsewhere', 'none'),
  isPacked: fc.boolean(),
  resources: fc.constantFrom('own', 'elsewhere', 'inherited', 'with the name taken'),
  isBoxInherited: fc.boolean(),
})

export const shapes: fc.Arbitrary<Shape> = fc.record({
  index: fc.constantFrom('table', 'stream', 'packed'),
  isRevised: fc.boolean(),
  hasRubbishAtEnd: fc.boolean(),
  pages: fc.array(page, { minLength: 1, maxLength: 4 }),
})

/** A PDF of this shape. */
export function shapedPdf({ index, isRevised, hasRubbishAtEnd, pages }: Shape): Buffer {
  const bodies: string[] = []
  const add = (body: string): number => bodies.push(body)
  const stream = (content: string, isPacked: boolean) => {
    const data = isPacked ? deflateSync(Buffer.from(content, 'latin1')).toString('latin1') : content
    const filter = isPacked ? '/Filter /FlateDecode ' : ''
    return add(`<< ${filter}/Length ${data.length} >>\nstream\n${data}\nendstream`)
  }
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add('')
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  const square = add(
    '<< /Type /XObject /Subtype /Form /BBox [0 0 90 90] /Length 25 >>\nstream\n0 0.6 0 rg 0 0 90 90 re f \nendstream',
  )
  const fonts = `/Font << /F1 ${font} 0 R >>`
  const shared = add(`<< ${fonts} /XObject << /Sq ${square} 0 R >> >>`)
  const drawings = add(`<< /Sq ${square} 0 R /KarrasStamp ${square} 0 R >>`)
  const nodes = pages.map((shape, at) => {
    const node = add('')
    const drawing = `q 0.2 0.4 0.8 rg 60 300 200 100 re f Q q 1 0 0 1 100 150 cm /Sq Do Q BT /F1 14 Tf 70 420 Td (Page ${at + 1}) Tj ET\n`
    const parts = { one: [drawing + ENDINGS[shape.ending]], none: [] as string[] }
    const texts =
      shape.contents === 'one' || shape.contents === 'none'
        ? parts[shape.contents]
        : [drawing, ENDINGS[shape.ending]]
    const streams = texts.map((text) => `${stream(text, shape.isPacked)} 0 R`)
    const contents = {
      one: () => `/Contents ${streams[0]}`,
      several: () => `/Contents [${streams.join(' ')}]`,
      'listed elsewhere': () => `/Contents ${add(`[${streams.join(' ')}]`)} 0 R`,
      none: () => '',
    }[shape.contents]()
    const resources = {
      own: `/Resources << ${fonts} /XObject << /Sq ${square} 0 R >> >>`,
      elsewhere: `/Resources ${shared} 0 R`,
      inherited: '',
      'with the name taken': `/Resources << ${fonts} /XObject ${drawings} 0 R >>`,
    }[shape.resources]
    const boxes = `/MediaBox [${shape.box.join(' ')}]${shape.crop ? ` /CropBox [${shape.crop.join(' ')}]` : ''} /Rotate ${shape.rotate}`
    const own = shape.isBoxInherited ? '' : boxes
    const leaf = add(`<< /Type /Page /Parent ${node} 0 R ${own} ${resources} ${contents} >>`)
    bodies[node - 1] =
      `<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [${leaf} 0 R] ${shape.isBoxInherited ? boxes : ''} >>`
    return { node, leaf }
  })
  bodies[1] = `<< /Type /Pages /Count ${pages.length} /Kids [${nodes.map(({ node }) => `${node} 0 R`).join(' ')}] /Resources ${shared} 0 R >>`

  let file = written(
    '%PDF-1.6\n%\xe2\xe3\xcf\xd3\n',
    bodies.map((body, at) => [at + 1, body]),
    index,
  )
  const leaf = nodes[0]?.leaf
  if (isRevised && leaf) {
    file = written(
      file,
      [[leaf, bodies[leaf - 1] ?? '']],
      index === 'packed' ? 'stream' : index,
      bodies.length,
    )
  }
  return Buffer.from(hasRubbishAtEnd ? `${file}\r\n\r\n   ` : file, 'latin1')
}

/** Appends objects and an index of them to the bytes before. */
function written(
  before: string,
  objects: readonly (readonly [number, string])[],
  index: Shape['index'],
  count = objects.length,
): string {
  let file = before
  const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(before)?.[1]
  const places = new Map<number, [type: number, position: number, within: number]>()
  const free = count + 1 + (previous ? 10 : 0)
  const packed = index === 'packed' ? objects.filter(([, body]) => !body.includes('stream\n')) : []
  for (const [number, body] of objects) {
    if (packed.some(([each]) => each === number)) continue
    places.set(number, [1, file.length, 0])
    file += `${number} 0 obj\n${body}\nendobj\n`
  }
  if (packed.length > 0) {
    let position = 0
    const head = packed.map(([number, body]) => {
      const entry = `${number} ${position}`
      position += body.length + 1
      return entry
    })
    const start = `${head.join(' ')} `
    const data = `${start}${packed.map(([, body]) => body).join(' ')} `
    for (const [at, [number]] of packed.entries()) places.set(number, [2, free, at])
    places.set(free, [1, file.length, 0])
    file += `${free} 0 obj\n<< /Type /ObjStm /N ${packed.length} /First ${start.length} /Length ${data.length} >>\nstream\n${data}\nendstream\nendobj\n`
  }
  const at = file.length
  const trailer = (size: number) =>
    `/Size ${size} /Root 1 0 R${previous ? ` /Prev ${previous}` : ''} /ID [<00> <01>]`
  if (index === 'table') {
    const lines = [...places].map(
      ([number, [, position]]) => `${number} 1\n${String(position).padStart(10, '0')} 00000 n \n`,
    )
    const first = previous ? '' : '0 1\n0000000000 65535 f \n'
    file += `xref\n${first}${lines.join('')}trailer\n<< ${trailer(count + 1)} >>\n`
  } else {
    const own = free + 1
    places.set(own, [1, at, 0])
    const sorted = [...places].sort(([one], [other]) => one - other)
    const rows = sorted.map(([, [type, position, within]]) =>
      String.fromCharCode(type, position >> 16, (position >> 8) & 255, position & 255, within),
    )
    const data = rows.join('')
    file += `${own} 0 obj\n<< /Type /XRef /W [1 3 1] /Index [${sorted.map(([number]) => `${number} 1`).join(' ')}] ${trailer(own + 1)} /Length ${data.length} >>\nstream\n${data}\nendstream\nendobj\n`
  }
  return `${file}startxref\n${at}\n%%EOF\n`
}
