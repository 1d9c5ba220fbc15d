// @one-database: it is about texts of files.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { PageText } from '../../../src/server/library/reading/page-text.ts'
import { pageTexts } from '../../../src/server/library/reading/pdf-tasks.ts'
import { bought, find, openBought } from '../../support/bought-documents.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { aPublished, make, pictures, sampleOf } from '../../support/samples.ts'
import { sharedApp } from '../../support/test.ts'
import { pdfOf } from '../../support/uploads.ts'

const CASES = new URL('../../cases/pdf/', import.meta.url)
const app = await sharedApp()
const folder = temporaryDirectory()

/** A scan: black letters on white, drawn from these instructions of SVG. */
const scan = await sharp(
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="white"/><rect x="40" y="80" width="300" height="24" fill="black"/></svg>',
  ),
)
  .jpeg()
  .toBuffer()

interface Parts {
  /** Further entries of the page. */
  readonly entries?: string
  /** Further entries of the catalogue. */
  readonly catalog?: string
}

/** A PDF of one page, 400 points square, with these instructions. */
function aPage(drawing: string, { entries = '', catalog = '' }: Parts = {}): Buffer {
  const stream = (data: string | Buffer, dictionary = '') => ({
    dictionary,
    data: Buffer.from(data),
  })
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]${entries}/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</Scan 6 0 R/Form 7 0 R>>/Properties<</Layer 8 0 R>>/ExtGState<</Clear<</ca 0.5>>/None<</ca 0>>>>>>>>`,
    stream(drawing),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    stream(
      scan,
      '/Type/XObject/Subtype/Image/Width 400/Height 400/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode',
    ),
    stream(
      'BT /F 16 Tf 20 100 Td (inside) Tj ET 1 g BT /F 16 Tf 20 60 Td (secret) Tj ET',
      '/Type/XObject/Subtype/Form/BBox[0 0 400 400]/Resources<</Font<</F 5 0 R>>>>',
    ),
    '<</Type/OCG/Name(answers)>>',
  ])
}

const TITLE = 'BT /F 16 Tf 20 360 Td (Exercice 1) Tj ET'
const SECRET = 'BT /F 16 Tf 40 302 Td (secret) Tj ET'
const SCAN = 'q 400 0 0 400 0 0 cm /Scan Do Q'
const off = '/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>>>'

/** The text of the file's first page. */
async function textsOf(bytes: Uint8Array): Promise<PageText> {
  const path = join(folder, 'a.pdf')
  await writeFile(path, bytes)
  const [text] = JSON.parse(Buffer.from(await pageTexts({ path, from: 0, most: 1 })).toString())
  return text
}

describe('text that a page does not show is neither published nor found:', () => {
  test.each<[string, string, Parts?]>([
    ['white on white', `${TITLE} 1 g ${SECRET}`],
    ['nearly white on white', `${TITLE} 0.97 g ${SECRET}`],
    ['of the colour of the box behind it', `${TITLE} 0 0 1 rg 0 280 400 60 re f ${SECRET}`],
    ['drawn invisibly', `${TITLE} 3 Tr ${SECRET}`],
    ['drawn invisibly upon what is seen', `${TITLE} BT 3 Tr /F 16 Tf 20 360 Td (secret) Tj ET`],
    ['that only clips', `${TITLE} q 7 Tr ${SECRET} Q`],
    ['without a size', `${TITLE} BT /F 0 Tf 20 300 Td (secret) Tj ET`],
    ['too small to be seen', `${TITLE} BT /F 0.02 Tf 20 300 Td (secret) Tj ET`],
    ['wholly transparent', `${TITLE} /None gs ${SECRET}`],
    ['beside the page', `${TITLE} BT /F 16 Tf 20 -40 Td (secret) Tj ET`],
    ['beside the part that is shown', `${TITLE} ${SECRET}`, { entries: '/CropBox[0 330 400 400]' }],
    ['clipped away', `${TITLE} q 0 0 10 10 re W n ${SECRET} Q`],
    ['under a box', `${TITLE} ${SECRET} 0.9 g 0 280 400 60 re f`],
    [
      'under a box at its end',
      `BT /F 16 Tf 20 360 Td (Exercice 1 secret) Tj ET 1 g 98 340 99 50 re f`,
    ],
    ['on a layer that is off', `${TITLE} /OC /Layer BDC ${SECRET} EMC`, { catalog: off }],
    [
      'under a comment',
      `${TITLE} ${SECRET}`,
      {
        entries:
          '/Annots[<</Type/Annot/Subtype/Square/F 4/Rect[0 280 400 340]/IC[1 1 1]/C[1 1 1]>>]',
      },
    ],
  ])('%s', async (_, drawing, parts) => {
    expect(await textsOf(aPage(drawing, parts))).toEqual({
      shown: 'Exercice 1',
      found: 'Exercice 1',
    })
  })

  test('but what is shown is, however faint or small it is and wherever it is drawn', async () => {
    const line = (y: number, text: string) => `BT /F 16 Tf 40 ${y} Td (${text}) Tj ET`
    const shown = aPage(
      [
        `0 0 1 rg 0 330 400 40 re f 1 g ${line(340, 'white on blue')}`,
        `0.7 g ${line(300, 'grey')}`,
        '0 g BT /F 4 Tf 40 280 Td (small, in 4 points.) Tj ET',
        `/OC /Layer BDC ${line(260, 'on a layer')} EMC`,
        `/Clear gs ${line(220, 'half transparent')}`,
        `q 1 Tr 0.5 w ${line(180, 'outlined')} Q`,
        line(140, 'under glass: 42 - 17'),
        '0.9 0.9 1 rg 0 130 400 30 re f',
        '0 g /Form Do',
      ].join('\n'),
      { catalog: '/OCProperties<</OCGs[8 0 R]/D<<>>>>', entries: '/Rotate 90' },
    )
    const lines = [
      'white on blue',
      'grey',
      'small, in 4 points.',
      'on a layer',
      'half transparent',
      'outlined',
      'under glass: 42 - 17',
      'inside',
    ]
    const texts = await textsOf(shown)
    expect(texts.shown.split('\n').toSorted()).toEqual(lines.toSorted())
    expect(texts.found).toBe(texts.shown)
  })
})

describe('the text of a scan', () => {
  test.each([
    ['under it', `3 Tr ${SECRET} 0 Tr ${TITLE} ${SCAN}`, ''],
    ['covered by it', `${SECRET} ${SCAN}`, ''],
    ['invisibly upon it', `${SCAN} 3 Tr ${SECRET}`, ''],
    ['beside what is printed', `${SCAN} 0 g ${TITLE} 3 Tr ${SECRET}`, 'Exercice 1'],
  ])('%s is found by its readers, and not published', async (_, drawing, shown) => {
    const texts = await textsOf(aPage(drawing))
    expect(texts.shown).toBe(shown)
    expect(texts.found.split('\n')).toContain('secret')
  })

  test('is no text of what the scan does not show', async () => {
    const drawing = `${SCAN} 3 Tr BT /F 16 Tf 40 200 Td (secret) Tj ET`
    expect(await textsOf(aPage(drawing))).toEqual({ shown: '', found: '' })
  })
})

test.each([
  ['crop.pdf', ['CORRIGE', 'quarante-deux']],
  ['white-answers.pdf', ['secret', 'REPONSE']],
])('the answers in %s are in no sample and in no search', async (name, words) => {
  const file = await readFile(new URL(name, CASES))
  const { id } = await aPublished(app, file, 6)
  await make(app)
  const { pages } = await sampleOf(app, id)
  expect(pages.map(({ text }) => text)).toEqual(
    [1, 2].map(
      (page) =>
        `Exercice ${page}\nCalculer la somme des ${page} premiers entiers.\nMontrer que le triangle est rectangle.`,
    ),
  )
  const { buyer, id: boughtId } = await bought(app, { file })
  await openBought(app, buyer, boughtId)
  expect((await find(app, buyer, boughtId, 'rectangle')).finds).toHaveLength(6)
  for (const word of words) expect((await find(app, buyer, boughtId, word)).finds).toEqual([])
})

test('a sample that is read again keeps its pictures meanwhile', async () => {
  const { id } = await aPublished(app, await readFile(new URL('crop.pdf', CASES)), 6)
  await make(app)
  await app.kysely
    .updateTable('samples')
    .set({ dueAt: new Date(app.deps.now()) })
    .where('documentId', '=', id)
    .execute()
  const statuses = (await pictures(app, id)).map(({ response }) => response.status)
  expect(statuses.length).toBeGreaterThan(0)
  expect(new Set(statuses)).toEqual(new Set([200]))
})
