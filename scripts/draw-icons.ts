/**
 * Draws the shop's icons as an installed app from its mark, `public/favicon.svg`. `npm run icons:draw` writes them
 * into `public/icons`; what it writes is committed.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'

const PUBLIC = join(import.meta.dirname, '../public')
const OUT = join(PUBLIC, 'icons')

/** What lies under a maskable icon, which systems cut to a circle or a drop: the page's paper. */
const PAPER = '#fdfcf8'
/** How much of a maskable icon is always seen: a circle of 80 %, in which the mark has to stand. */
const SAFE = 0.62

const mark = await readFile(join(PUBLIC, 'favicon.svg'))

const drawn = (side: number) =>
  sharp(mark, { density: (72 * side) / 32 }).resize(side, side, {
    fit: 'contain',
    background: '#0000',
  })

async function write(name: string, picture: Sharp): Promise<void> {
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
await write('192', drawn(192))
await write('512', drawn(512))
await write('maskable-512', await maskable(512))
