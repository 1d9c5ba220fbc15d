import sharp, { type OverlayOptions } from 'sharp'
import type { Locale } from '../../i18n/locales.ts'
import { type Brand, ICONS, type IconName, penOf } from '../../rules/brand.ts'
import { drawText } from '../drawing/drawing.ts'

/** The colour of the pages' paper, behind whatever is cropped to a circle. */
const PAPER = '#fdfcf8'
const INK = '#1b2440'

/** The share of a maskable icon's side that its drawing takes: it must fit into a circle of 80 %. */
const SAFE = 0.62

/** The size, in pixels, that messengers show. */
const SHARED = { width: 1200, height: 630 }

/** The most pixels of a line: the label of the book less its margins. */
const LINE = 840
const LOGO_ROOM = { width: LINE, height: 240 }

/** The shop's icon (PNG): its logo (`mark`) or its first letter on an exercise book. */
export async function drawIcon(brand: Brand, icon: IconName, mark: Buffer | null): Promise<Buffer> {
  const side = ICONS[icon]
  const isMaskable = icon.startsWith('maskable')
  const inner = isMaskable ? Math.round(side * SAFE) : side
  const drawing = mark
    ? await sharp(mark).resize(inner, inner).png().toBuffer()
    : await letterBook(brand, inner)
  const background = isMaskable ? PAPER : '#0000'
  const paper = { create: { width: side, height: side, channels: 4 as const, background } }
  return sharp(paper)
    .composite([{ input: drawing }])
    .png({ palette: true, effort: 7 })
    .toBuffer()
}

async function letterBook(brand: Brand, side: number): Promise<Buffer> {
  const signs = Array.from(new Intl.Segmenter().segment(brand.name.ar), ({ segment }) => segment)
  // Not the quotation mark before the name.
  const first = signs.find((sign) => /^[\p{L}\p{N}\p{S}]/u.test(sign)) ?? '·'
  const letter = await drawText(first, { size: 200, color: '#ffffff' })
  const fitted = await sharp(letter.data)
    .resize({
      width: Math.round(side * 0.5),
      height: Math.round(side * 0.5),
      fit: 'inside',
    })
    .toBuffer()
  const book = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 32 32"><rect x="4" y="1" width="24" height="30" rx="3" fill="${penOf(brand)}"/><path d="M24 1h1a3 3 0 0 1 3 3v24a3 3 0 0 1-3 3h-1z" fill="#0c1020" fill-opacity=".3"/></svg>`
  return sharp(Buffer.from(book))
    .composite([{ input: fitted }])
    .png()
    .toBuffer()
}

/** The picture of shared pages (PNG): logo or name, and `line` on a book's label. */
export async function drawShared(
  brand: Brand,
  locale: Locale,
  line: string,
  mark: Buffer | null,
): Promise<Buffer> {
  const { width, height } = SHARED
  const text = (content: string, size: number, color: string) =>
    drawText(content, { size, color, width: LINE })
  const head = mark
    ? await sharp(mark)
        .trim()
        .resize({ ...LOGO_ROOM, fit: 'inside' })
        .toBuffer()
    : (await text(brand.name[locale], 90, penOf(brand))).data
  const pictures = [head, (await text(line, 40, INK)).data]
  const placed: OverlayOptions[] = []
  const sizes = await Promise.all(pictures.map((picture) => sharp(picture).metadata()))
  const gap = 40
  const tall = sizes.reduce((sum, size) => sum + size.height + gap, -gap)
  let top = Math.max(90, Math.round((height - tall) / 2))
  for (const [at, input] of pictures.entries()) {
    const size = sizes[at]
    if (!size || top + size.height > height) break
    placed.push({ input, left: Math.round((width - size.width) / 2), top })
    top += size.height + gap
  }
  const book = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="${width}" height="${height}" fill="${penOf(brand)}"/>
<rect x="${locale === 'ar' ? width - 72 : 0}" width="72" height="${height}" fill="#0c1020" fill-opacity=".3"/>
<rect x="130" y="80" width="940" height="470" rx="10" fill="#fffdf7"/>
<rect x="142" y="92" width="916" height="446" rx="5" fill="none" stroke="#cdd1e8" stroke-width="3"/>
</svg>`
  return sharp(Buffer.from(book)).composite(placed).png({ palette: true, effort: 7 }).toBuffer()
}
