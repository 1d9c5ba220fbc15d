import type { NamedFile } from '../imports/chosen-files.ts'

/** The longer side of a page drawn from a picture (pixels): some 170 dots per inch on A4. */
const PAGE_PIXELS = 2000
const JPEG_QUALITY = 0.85

/** A4 in points, upright. */
const A4 = { short: 595, long: 842 }

interface Page {
  readonly jpeg: Uint8Array<ArrayBuffer>
  readonly width: number
  readonly height: number
}

/**
 * A PDF with a page for each picture, in their order, drawn anew: upright, at the size of a page, and
 * without what a phone writes into its photos. Our own lines, since a library that writes PDFs weighs
 * more than a megabyte. Where the browser cannot read some of the pictures, their names instead.
 */
export async function pdfOfPictures(
  pictures: readonly NamedFile[],
  name: string,
): Promise<File | string[]> {
  const pages: Page[] = []
  const unread: string[] = []
  for (const picture of pictures) {
    try {
      pages.push(await drawPage(picture.file))
    } catch {
      unread.push(picture.name)
    }
  }
  if (unread.length > 0) return unread
  return new File(pdfParts(pages), name, { type: 'application/pdf' })
}

async function drawPage(file: File): Promise<Page> {
  const picture = await createImageBitmap(file)
  try {
    const scale = Math.min(1, PAGE_PIXELS / Math.max(picture.width, picture.height))
    const width = Math.round(picture.width * scale)
    const height = Math.round(picture.height * scale)
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    // What is transparent would be black in a JPEG.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
    context.drawImage(picture, 0, 0, width, height)
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY })
    return { jpeg: new Uint8Array(await jpeg.arrayBuffer()), width, height }
  } finally {
    picture.close()
  }
}

/** The parts of the file: of each page three objects (the page, its drawing, its picture). */
export function pdfParts(pages: readonly Page[]): BlobPart[] {
  const parts: BlobPart[] = []
  const offsets: number[] = []
  let length = 0
  const write = (...pieces: (string | Uint8Array<ArrayBuffer>)[]) => {
    for (const piece of pieces) {
      parts.push(piece)
      length += piece.length
    }
  }
  const object = (...pieces: (string | Uint8Array<ArrayBuffer>)[]) => {
    offsets.push(length)
    write(`${offsets.length} 0 obj\n`, ...pieces, '\nendobj\n')
  }
  const kids = pages.map((_, at) => `${3 + 3 * at} 0 R`).join(' ')
  write('%PDF-1.7\n')
  object('<< /Type /Catalog /Pages 2 0 R >>')
  object(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  for (const { jpeg, width, height } of pages) {
    const [wide, high] = width > height ? [A4.long, A4.short] : [A4.short, A4.long]
    const scale = Math.min(wide / width, high / height)
    const [drawnWidth, drawnHeight] = [width * scale, height * scale]
    const [x, y] = [(wide - drawnWidth) / 2, (high - drawnHeight) / 2]
    const drawing = `q ${fixed(drawnWidth)} 0 0 ${fixed(drawnHeight)} ${fixed(x)} ${fixed(y)} cm /Im Do Q`
    const page = offsets.length + 1
    object(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] `,
      `/Resources << /XObject << /Im ${page + 2} 0 R >> >> /Contents ${page + 1} 0 R >>`,
    )
    object(`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`)
    object(
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB `,
      `/BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
      jpeg,
      '\nendstream',
    )
  }
  const start = length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  write(
    `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries.join('')}`,
    `trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  )
  return parts
}

const fixed = (points: number): string => points.toFixed(2)
