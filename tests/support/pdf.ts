/**
 * A real PDF of so many A4 pages, blue, each with its number on it. `chapters` become its outline,
 * the first on the first page, each on the page after the previous one.
 */
export function aPdf(title: string, pages: number, chapters: readonly string[] = []): Buffer {
  const contents = 5 + 2 * pages
  const text = (value: string) => `<feff${Buffer.from(value, 'utf16le').swap16().toString('hex')}>`
  const bodies = [
    `<< /Type /Catalog /Pages 2 0 R ${chapters.length > 0 ? `/Outlines ${contents} 0 R ` : ''}>>`,
    `<< /Type /Pages /Count ${pages} /Kids [${Array.from({ length: pages }, (_, at) => `${5 + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Title ${text(title)} >>`,
  ]
  for (let page = 1; page <= pages; page++) {
    const drawing = `0.2 0.4 0.8 rg 0 0 595 842 re f 0 g BT /F1 12 Tf 72 720 Td (Page ${page}) Tj ET`
    bodies.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${4 + page * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    )
  }
  const last = contents + chapters.length
  if (chapters.length > 0) {
    bodies.push(`<< /Type /Outlines /First ${contents + 1} 0 R /Last ${last} 0 R >>`)
  }
  for (const [at, chapter] of chapters.entries()) {
    const own = contents + 1 + at
    const next = own < last ? ` /Next ${own + 1} 0 R` : ''
    bodies.push(
      `<< /Title ${text(chapter)} /Parent ${contents} 0 R /Dest [${5 + at * 2} 0 R /Fit]${next} >>`,
    )
  }
  let file = '%PDF-1.4\n'
  const places = bodies.map((body, at) => {
    const place = file.length
    file += `${at + 1} 0 obj\n${body}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const size = `${bodies.length + 1}`
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}` +
      `trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}
