// @one-database: it is about files.
import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { SAMPLE_WIDTHS } from '../../../src/rules/reading.ts'
import { anArabicPdf } from '../../support/arabic-pdf.ts'
import {
  bought,
  download,
  find,
  openBought,
  sha256,
  stampedCopy,
} from '../../support/bought-documents.ts'
import { expectCode } from '../../support/refusals.ts'
import { aPublished, make, pictures, sampleOf } from '../../support/samples.ts'
import { sharedApp } from '../../support/test.ts'
import { pdfOf, upload } from '../../support/uploads.ts'

const CASES = new URL('../../cases/pdf/', import.meta.url)
const file = (name: string) => readFile(new URL(name, CASES))

const app = await sharedApp()
const me = await app.anOfficeTeacher()

/** A PDF whose pages have these sizes in points; the uppermost square of each is red. */
function aPdfOf(...sizes: readonly (readonly [width: number, height: number])[]): Buffer {
  const first = 3
  const pages = sizes.flatMap(([width, height], at) => {
    const side = Math.min(width, height)
    const drawing = `1 0 0 rg 0 ${height - side} ${side} ${side} re f`
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${first + 2 * at + 1} 0 R/Resources<<>>>>`,
      { dictionary: '', data: Buffer.from(drawing) },
    ]
  })
  const kids = sizes.map((_, at) => `${first + 2 * at} 0 R`).join(' ')
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${sizes.length}>>`,
    ...pages,
  ])
}

/** The pages of a document as its buyer sees them. */
async function seen(bytes: Buffer) {
  const { buyer, id } = await bought(app, { file: bytes })
  const { pages, sizes } = await openBought(app, buyer, id)
  const drawn = await Promise.all(
    sizes.map(async (_, at) => {
      const answer = await fetch(`${app.url}${pages}${at + 1}-900.webp`)
      expect(answer.status).toBe(200)
      return sharp(Buffer.from(await answer.arrayBuffer()))
    }),
  )
  return { sizes, drawn }
}

/** The part of a picture that is red. */
async function redness(picture: Sharp): Promise<number> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let red = 0
  for (let at = 0; at < data.length; at += info.channels) {
    if ((data[at] ?? 0) > 200 && (data[at + 1] ?? 0) < 60) red++
  }
  return red / (info.width * info.height)
}

/** Whether anything is drawn in a part of a page, given by its corners from 0 to 1. */
async function isDrawn(
  picture: Sharp,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Promise<boolean> {
  const { width = 0, height = 0 } = await picture.metadata()
  const part = await picture
    .clone()
    .extract({
      left: Math.round(left * width),
      top: Math.round(top * height),
      width: Math.round((right - left) * width),
      height: Math.round((bottom - top) * height),
    })
    .greyscale()
    .stats()
  return (part.channels[0]?.min ?? 255) < 128
}

describe('a PDF with', () => {
  test('one wide page has all its pages, in the reader and in its sample', async () => {
    const bytes = await file('frise.pdf')
    const { sizes } = await seen(bytes)
    expect(sizes.map(({ height }) => height)).toEqual([1274, 318, 1274, 1274, 1274, 1274])
    const { id } = await aPublished(app, bytes, 6)
    await make(app)
    expect((await sampleOf(app, id)).pages.map(({ page }) => page)).toEqual([1, 2])
    const statuses = (await pictures(app, id)).map(({ response }) => response.status)
    expect(statuses).toEqual(Array(2 * SAMPLE_WIDTHS.length).fill(200))
  })

  test.each([
    [[2000, 100], 45, 1 / 20],
    [[14_400, 20], 1, 1],
    [[100, 350], 3150, 1 / 3.5],
    [[100, 2000], 3600, 1 / 4],
  ] as const)(
    'a page of %j is drawn in its proportions, and cut where it is too long',
    async (size, height, red) => {
      const bytes = aPdfOf([300, 300], size, [300, 300])
      const { sizes, drawn } = await seen(bytes)
      expect(sizes.map((each) => each.height)).toEqual([900, height, 900])
      const [, page] = drawn
      if (height > 1) expect(await redness(page ?? sharp())).toBeCloseTo(red, 1)
      const { id } = await aPublished(app, aPdfOf(size, size, size, size, size, size), 6)
      await make(app)
      expect((await sampleOf(app, id)).pages).toHaveLength(2)
      for (const { response } of await pictures(app, id)) expect(response.status).toBe(200)
    },
  )

  test('a tall page is cut, not squeezed', async () => {
    const { sizes, drawn } = await seen(await file('strip.pdf'))
    expect(sizes).toEqual([{ width: 900, height: 3600 }])
    expect(await redness(drawn[0] ?? sharp())).toBeCloseTo(1 / 4, 2)
  })

  test('filled fields and comments shows them', async () => {
    const { drawn } = await seen(await file('annots.pdf'))
    const page = drawn[0] ?? sharp()
    expect(await isDrawn(page, [0.1, 0.36, 0.6, 0.41])).toBe(true)
    const comment = await page.clone().extract({ left: 90, top: 305, width: 300, height: 60 })
    expect(await redness(comment)).toBeGreaterThan(0.01)
  })

  test.each([
    ['a field without its drawing', '/FT/Tx/V(Reponse ecrite)/DA(/F 18 Tf 0 g)', true],
    ['a chosen entry', '/FT/Ch/Ff 131072/Opt[(un)(deux)]/V(deux)/DA(/F 18 Tf 0 g)', true],
    ['an empty field', '/FT/Tx/DA(/F 18 Tf 0 g)', false],
    ['a hidden field', '/FT/Tx/V(Reponse)/DA(/F 18 Tf 0 g)/F 2', false],
  ])('%s shows what is written', async (_, field, isSeen) => {
    const { drawn } = await seen(
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/DR<</Font<</F 5 0 R>>>>/DA(/F 12 Tf 0 g)/NeedAppearances true>>>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 500]/Resources<<>>/Annots[4 0 R]>>',
        `<</Type/Annot/Subtype/Widget/T(nom)/Rect[100 200 400 230]${field}>>`,
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ]),
    )
    expect(await isDrawn(drawn[0] ?? sharp(), [0.2, 0.54, 0.8, 0.6])).toBe(isSeen)
  })

  const mail = 'Content-Type: application/pdf\r\n\r\n'

  test.each([
    ['a byte order mark', '', 'leading-bom.pdf'],
    ['an empty line', '\r\n', 'objstm.pdf'],
    ['the head of a mail', mail, 'title-javascript.pdf'],
    ['1 024 bytes', ' '.repeat(1024), 'link-javascript.pdf'],
  ])(
    '%s before it is accepted, and read, stamped and downloaded without',
    async (_, before, name) => {
      const bytes = Buffer.concat([Buffer.from(before), await file(name)])
      const pdf = bytes.subarray(bytes.indexOf('%PDF-'))
      const { id } = await upload(app, me, bytes)
      const kept = await app.row('uploads', id)
      expect(kept).toMatchObject({ storedSize: pdf.length, sha256: sha256(pdf) })
      const stored = await readFile((await app.deps.files.localPath(kept.storageKey ?? '')) ?? '')
      expect(stored.equals(pdf)).toBe(true)
      const { buyer, id: documentId } = await bought(app, { file: stored })
      expect((await find(app, buyer, documentId, 'sciences')).finds).toHaveLength(1)
      const copy = await stampedCopy(app, buyer, documentId, stored)
      expect(copy.bytes.subarray(0, pdf.length).equals(pdf)).toBe(true)
      expect((await download(app, buyer, documentId)).answer.status).toBe(200)
    },
  )

  test('more before it is none', async () => {
    const bytes = Buffer.concat([Buffer.alloc(1025, ' '), await file('objstm.pdf')])
    await expectCode(upload(app, me, bytes), 'not_a_pdf')
  })

  test('an owner’s password is told apart from one that it needs to open', async () => {
    for (const [name, code] of [
      ['owner-password.pdf', 'pdf_restricted'],
      ['owner-password-40.pdf', 'pdf_restricted'],
      ['user-password.pdf', 'pdf_encrypted'],
    ] as const) {
      await expect(upload(app, me, await file(name)), name).rejects.toMatchObject({ code })
    }
  })

  test('links and titles about scripts is accepted; a link runs nothing outside a browser', async () => {
    const link = (uri: string) =>
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 500]/Resources<<>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(${uri})>>>>]>>`,
      ])
    for (const bytes of [
      await file('link-javascript.pdf'),
      await file('title-javascript.pdf'),
      await file('objstm.pdf'),
      // As Chromium prints the buttons of a web page.
      link('javascript:void\\(0\\)'),
      link('https://a.example/?q=/JavaScript'),
    ]) {
      expect(await upload(app, me, bytes)).toMatchObject({ isChecked: true, missingFonts: [] })
    }
  })

  test('a page of the web that opens by itself is refused', async () => {
    await expectCode(upload(app, me, await file('openaction-uri.pdf')), 'pdf_active')
  })

  test.each<[string, () => Buffer | Promise<Buffer>, string[]]>([
    ['an Arabic font', () => file('lig-presentation.pdf'), ['Arial']],
    ['a font with a tag', () => anArabicPdf(['ا', 'ب']), ['Simplified Arabic']],
    ['a font for Latin letters only', () => anArabicPdf(['a', 'é', '1']), []],
    ['a font in a drawing', () => inDrawing(), ['Simplified Arabic']],
  ])('%s that it lacks is accepted, and its teacher is told', async (_, bytes, missingFonts) => {
    expect(await upload(app, me, await bytes())).toMatchObject({ isChecked: true, missingFonts })
  })
})

/** The same as `anArabicPdf`, with its text in a drawing of its own. */
function inDrawing(): Buffer {
  const text = anArabicPdf(['ا', 'ب']).toString('latin1')
  const drawing =
    '9 0 obj\n<</Type/XObject/Subtype/Form/BBox[0 0 2000 842]/Resources<</Font<</F 5 0 R>>>>/Length 43>>\nstream\nBT /F 20 Tf 20 700 Td <01010100> Tj ET      \nendstream\nendobj\n'
  return Buffer.from(
    text
      .replace('/Resources<</Font<</F 5 0 R>>>>', '/Resources<</XObject<</D 9 0 R>>>>')
      .replace(/BT .*? ET/, (all) => '/D Do'.padEnd(all.length))
      .replace(/xref\n.*/s, `${drawing}trailer\n<</Root 1 0 R/Size 10>>\n%%EOF\n`),
    'latin1',
  )
}
