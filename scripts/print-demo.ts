/**
 * `npm run demo:print`: prints the demo shop's documents as PDF with the Chromium of the browser
 * tests, only those whose content or look has changed; `-- --all` prints all of them.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { FILE_MAX_PAGES } from '../src/rules/uploads.ts'
import { DEMO_DATA, readPrinted } from '../src/server/demo/demo-data.ts'
import { pageSizes } from '../src/server/library/reading/pdf-tasks.ts'
import { CHROMIUM_FLAGS, ensureChromium } from '../tests/support/chromium.ts'
import { cutWeight } from './cut-fonts.ts'
import { composeBooks } from './demo-books/book.ts'

const DIRECTORY = join(DEMO_DATA, 'printed')
const all = process.argv.includes('--all')

const before = all ? [] : await readPrinted().catch(() => [])
await mkdir(DIRECTORY, { recursive: true })
const faces = await fontFaces()
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS })
const printed = []
try {
  const page = await browser.newPage()
  for (const { id, html, source } of await composeBooks()) {
    const known = before.find((each) => each.id === id && each.source === source)
    if (known) {
      printed.push(known)
      continue
    }
    await page.setContent(html.replace('<style>', `<style>${faces}`))
    await page.evaluate(() => document.fonts.ready)
    const options = { preferCSSPageSize: true, printBackground: true, tagged: false }
    const file = join(DIRECTORY, `${id}.pdf`)
    await writeFile(file, undated(await page.pdf(options)))
    const sizes = await pageSizes({ path: file, most: FILE_MAX_PAGES })
    printed.push({ id, pages: sizes.length, source })
    console.log(`Printed ${id}.pdf`)
  }
} finally {
  await browser.close()
}
const rows = printed.map(({ id, pages, source }) =>
  JSON.stringify({ id, pages, source }).replace(/[{:,]/g, '$& ').replace('}', ' }'),
)
await writeFile(join(DIRECTORY, 'manifest.json'), `[\n  ${rows.join(',\n  ')}\n]\n`)
const kept = new Set(['manifest.json', ...printed.map(({ id }) => `${id}.pdf`)])
for (const name of await readdir(DIRECTORY)) if (!kept.has(name)) await rm(join(DIRECTORY, name))

/**
 * The font of the printed documents, one file per weight and script: Chromium embeds only the files
 * that a PDF uses.
 */
async function fontFaces(): Promise<string> {
  const faces: string[] = []
  for (const weight of [400, 700]) {
    for (const script of ['latin', 'arabic'] as const) {
      const font = (await cutWeight(script, weight)).toString('base64')
      const range = script === 'arabic' ? 'unicode-range: U+600-6ff, U+fb50-fdff, U+fe70-fefc' : ''
      faces.push(
        `@font-face { font-family: Readex; font-weight: ${weight}; src: url(data:font/ttf;base64,${font}); ${range} }`,
      )
    }
  }
  return faces.join('\n')
}

/** The PDF with fixed dates, so that the same content always gives the same file. */
function undated(pdf: Buffer): Buffer {
  const text = pdf.toString('latin1')
  const date = "D:20260115080000+00'00'"
  return Buffer.from(
    text.replace(/(\/(?:CreationDate|ModDate) \()(D:[^)]*)/g, (_, key, found) => {
      if (found.length !== date.length) throw new RangeError(`a date of another length: ${found}`)
      return key + date
    }),
    'latin1',
  )
}
