/**
 * Draws the icons of the installed app from the shop's mark, `public/favicon.svg`.
 * `npm run icons:draw` writes them into `public/icons`; the results are committed.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'

const PUBLIC = join(import.meta.dirname, '../public')
const OUT = join(PUBLIC, 'icons')

/**
 * The background of a maskable icon, which systems crop to a circle or a drop: the colour of the
 * page's paper.
 */
const PAPER = '#fdfcf8'
/**
 * The share of a maskable icon's side that the mark takes: the mark has to fit into a circle of 80
 * %, the part that is always visible.
 */
const SAFE = 0.62

const mark = await readFile(join(PUBLIC, 'favicon.svg'))

const drawn = (side: number) =>
  sharp(mark, { density: (72 * side) / 32 }).resize(side, side, {
    fit: 'contain',
    background: '#0000',
  })

async function writePicture(name: string, picture: Sharp): Promise<void> {
  const file = join(OUT, `${name}.png`)
  await writeFile(
    file,
    await picture.png({ palette: true, effort: 10, compressionLevel: 9 }).toBuffer(),
  )
}

async function maskable(side: number): Promise<Sharp> {
  const input = await drawn(Math.round(side * SAFE))
    .png()
    .toBuffer()
  const paper = { create: { width: side, height: side, channels: 4 as const, background: PAPER } }
  return sharp(paper).composite([{ input }])
}

await mkdir(OUT, { recursive: true })
await writePicture('192', drawn(192))
await writePicture('512', drawn(512))
await writePicture('maskable-512', await maskable(512))
