import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import sharp from 'sharp'
import subsetFont from 'subset-font'
import { xmlText } from './xml.ts'

/** The size that Facebook, WhatsApp and X show, in pixels. */
const WIDTH = 1200
const HEIGHT = 630

const COVERS: Readonly<Record<string, string>> = {
  mathematics: '#2b62b8',
  physics: '#6c4bb6',
  science: '#17795c',
  arabic: '#567d25',
  french: '#c04a75',
  english: '#b53036',
  'history-geography': '#c4611d',
  history: '#c4611d',
  geography: '#c4611d',
  'islamic-education': '#0f7480',
  computing: '#4b5b73',
  technology: '#4b5b73',
  philosophy: '#3a3b94',
}
const SAND = '#a98650'

export interface Shared {
  title: string
  subject: string
  subjectCode: string | null
  teacher: string
}

/** Draws the picture that stands for a document where its address is shared. PNG, 1200 × 630. */
export type SharePicture = (shared: Shared) => Promise<Buffer>

/** `directory` holds the fonts that are cut for it, on the first drawing. */
export function sharePictures(directory: string): SharePicture {
  let fonts: Promise<string> | undefined
  return async ({ title, subject, subjectCode, teacher }) => {
    fonts ??= cutFonts(directory)
    const font = await fonts
    const rtl = /^[^\p{L}]*\p{Script=Arabic}/u.test(title)
    const text = (content: string, size: number) =>
      sharp({
        text: {
          text: `<span foreground="#1b2440" size="${size * 1024}">${xmlText(content)}</span>`,
          fontfile: font,
          font: 'Readex Pro Bold',
          width: 760,
          dpi: 72,
          wrap: 'word-char',
          align: rtl ? 'right' : 'left',
          rgba: true,
        },
      })
        .png()
        .toBuffer({ resolveWithObject: true })
    const [head, foot] = await Promise.all([
      text(shorten(title, 90), title.length > 60 ? 42 : title.length > 30 ? 50 : 60),
      text(shorten([subject, teacher].filter(Boolean).join(' · ') || '·', 70), 30),
    ])
    const start = (width: number) => (rtl ? 1020 - width : 180)
    return sharp(Buffer.from(book(COVERS[subjectCode ?? ''] ?? SAND, rtl)))
      .composite([
        { input: head.data, left: start(head.info.width), top: 130 },
        { input: foot.data, left: start(foot.info.width), top: 425 },
      ])
      .png({ palette: true, effort: 7 })
      .toBuffer()
  }
}

/** An exercise book's cover lying on its side: cloth strip, white label with two ruled lines. */
function book(cover: string, rtl: boolean): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${cover}"/>
<rect x="${rtl ? WIDTH - 72 : 0}" width="72" height="${HEIGHT}" fill="#0c1020" fill-opacity=".3"/>
<rect x="130" y="80" width="940" height="470" rx="10" fill="#fffdf7"/>
<rect x="142" y="92" width="916" height="446" rx="5" fill="none" stroke="#cdd1e8" stroke-width="3"/>
<path d="M180 400h840M180 490h840" stroke="#b9bede" stroke-width="3"/>
</svg>`
}

function shorten(text: string, most: number): string {
  const letters = [...new Intl.Segmenter().segment(text)]
  if (letters.length <= most) return text
  return `${letters
    .slice(0, most)
    .map(({ segment }) => segment)
    .join('')}…`
}

/** No font of the machine is relied on: the site's own, one file a script, made known to Pango. */
async function cutFonts(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  const { resolve } = createRequire(import.meta.url)
  const paths: string[] = []
  for (const script of ['latin', 'arabic']) {
    const font = await subsetFont(
      await readFile(
        resolve(`@fontsource-variable/readex-pro/files/readex-pro-${script}-wght-normal.woff2`),
      ),
      undefined,
      { keepAllGlyphs: true, targetFormat: 'truetype', variationAxes: { wght: 700 } },
    )
    const path = join(directory, `readex-${script}.ttf`)
    await writeFile(path, font)
    // The first use of a file makes it known to the whole process.
    await sharp({ text: { text: 'a', fontfile: path, width: 9 } })
      .png()
      .toBuffer()
    paths.push(path)
  }
  return paths.at(-1) ?? ''
}
