import PDFDocument from 'pdfkit'

/** A real PDF of so many pages. */
export function aPdf(title: string, pages: number): Promise<Buffer> {
  const pdf = new PDFDocument({ autoFirstPage: false, info: { Title: title } })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve) => pdf.on('end', () => resolve(Buffer.concat(chunks))))
  for (let page = 1; page <= pages; page++) pdf.addPage({ size: 'A4' }).text(`Page ${page}`)
  pdf.end()
  return done
}
