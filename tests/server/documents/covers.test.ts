// @one-database: it is about files.
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { cancelUpload } from '../../../src/contract/uploads.ts'
import { COVER_FORMATS, COVER_WIDTHS } from '../../../src/rules/pictures.ts'
import { storageIn } from '../../../src/server/files/files.ts'
import { drawnPicture } from '../../../src/server/library/uploaded-pictures.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { aPdf } from '../../support/pdf.ts'
import { aPicture, storeCover } from '../../support/picture.ts'
import { sharedApp } from '../../support/test.ts'
import { filesOnDisk, upload } from '../../support/uploads.ts'

const app = await sharedApp()
const teacher = await app.anOfficeTeacher()

const sha256Of = (path: string | null) => /([\da-f]{64})/.exec(path ?? '')?.[1] ?? ''

describe('an uploaded cover', () => {
  test('is given to a document and served in every size and format, immutably', async () => {
    const { id } = await app.aDocument({ cover: await aPicture('#b53036', 900, 1200) })
    const { coverPath } = await app.call(getDocument, { params: { id } })
    expect(coverPath).toMatch(/^\/media\/covers\/[\da-f]{64}-320\.webp$/)
    const sha256 = sha256Of(coverPath)
    for (const width of COVER_WIDTHS) {
      for (const format of COVER_FORMATS) {
        const address = `${app.url}/media/covers/${sha256}-${width}.${format}`
        const response = await fetch(address)
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toBe(`image/${format}`)
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        const picture = await sharp(await response.arrayBuffer()).metadata()
        expect([picture.width, picture.height]).toEqual([width, Math.round((width * 22) / 17)])
        const etag = response.headers.get('etag') ?? ''
        const again = await fetch(address, { headers: { 'if-none-match': etag } })
        expect(again.status).toBe(304)
      }
    }
    const head = await fetch(`${app.url}${coverPath}`, { method: 'HEAD' })
    expect([head.status, Number(head.headers.get('content-length')) > 0]).toEqual([200, true])
    // Generated once: the second time it comes from the disk.
    const kept = await readdir(join(app.deps.config.dataDir, 'covers', sha256))
    expect(kept).toHaveLength(COVER_WIDTHS.length * COVER_FORMATS.length)
  })

  test('is stored upright, without any metadata of its file', async () => {
    const dataDir = temporaryDirectory()
    const lying = await sharp(await aPicture('#2b62b8', 60, 40))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD3: { GPSLatitude: '36/1 48/1 0/1', GPSLatitudeRef: 'N' } })
      .toBuffer()
    const path = await storeCover(storageIn(dataDir), lying)
    const sha256 = sha256Of(path)
    const stored = await sharp(
      join(dataDir, 'files', sha256.slice(0, 2), `${sha256}.webp`),
    ).metadata()
    expect([stored.width, stored.height, stored.exif, stored.orientation]).toEqual([
      40,
      60,
      undefined,
      undefined,
    ])
  })

  test('requested by many at once is generated once', async () => {
    const { id } = await app.aDocument({ cover: await aPicture('#17795c', 300, 400) })
    const { coverPath } = await app.call(getDocument, { params: { id } })
    const bodies = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await fetch(`${app.url}${coverPath}`)
        return Buffer.from(await response.arrayBuffer()).toString('base64')
      }),
    )
    expect(new Set(bodies).size).toBe(1)
  })

  const hash = 'a'.repeat(64)
  test.each([
    `${hash}-320.webp`,
    `${hash}-321.webp`,
    `${hash}-320.png`,
    `${hash}-0320.webp`,
    `${hash}.webp`,
    `..%2F..%2Fsecret-320.webp`,
    `${'A'.repeat(64)}-320.webp`,
    '%00',
  ])('%s is not found', async (name) => {
    const response = await fetch(`${app.url}/media/covers/${name}`)
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  test('that is damaged on disk fails alone', async () => {
    const [bad, good] = [
      await storeCover(app.deps.files, await aPicture('#c4611d', 200, 260)),
      await storeCover(app.deps.files, await aPicture('#0f7480', 200, 260)),
    ].map(sha256Of)
    const folder = join(app.deps.config.dataDir, 'files', bad?.slice(0, 2) ?? '')
    await writeFile(join(folder, `${bad}.webp`), 'damaged')
    const [first, second] = await Promise.allSettled([
      drawnPicture(app.deps, 'covers', { sha256: bad ?? '', width: 160, format: 'webp' }),
      drawnPicture(app.deps, 'covers', { sha256: good ?? '', width: 160, format: 'webp' }),
    ])
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
  })
})

describe('a cover', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'is accepted as %s and re-encoded',
    async (format) => {
      const picture = await sharp(await aPicture('#2b62b8', 400, 500))
        .toFormat(format)
        .toBuffer()
      const checked = await upload(app, teacher, picture, { purpose: 'cover', name: 'evil.svg' })
      expect(checked).toMatchObject({ fileType: 'webp', width: 400, height: 500 })
      const answer = await fetch(app.url + checked.coverPath)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
      await app.call(cancelUpload, { as: teacher, params: { id: checked.id } })
    },
  )

  test('is taken from a phone of 64 megapixels, upright, also as a portrait', async () => {
    const still = await sharp({
      create: { width: 9248, height: 6936, channels: 3, background: '#2b62b8' },
    })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    // Phones append a short film, which makes the file as large as a photo of many details.
    const photo = Buffer.concat([still, Buffer.alloc(25 * 1024 * 1024)])
    const name = 'photo.jpg'
    const cover = await upload(app, teacher, photo, { purpose: 'cover', name })
    expect(cover).toMatchObject({ width: 1242, height: 1656 })
    await app.call(cancelUpload, { as: teacher, params: { id: cover.id } })
    const portrait = await upload(app, teacher, photo, { purpose: 'portrait', name })
    expect(portrait).toMatchObject({ fileType: 'webp' })
    await app.call(cancelUpload, { as: teacher, params: { id: portrait.id } })
  })

  test.each([
    ['an SVG', 'not_a_picture', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a web page', 'not_a_picture', () => Buffer.from('<html><script>alert(1)</script></html>')],
    ['nothing', 'file_empty', () => Buffer.alloc(0)],
    [
      'a GIF',
      'not_a_picture',
      async () =>
        sharp(await aPicture('#fff'))
          .gif()
          .toBuffer(),
    ],
    ['a PDF', 'not_a_picture', () => aPdf('x', 1)],
    [
      'a photo of an iPhone',
      'heic_picture',
      () => Buffer.from(`\0\0\0\x18ftypheic\0\0\0\0mif1heic`),
    ],
    [
      'a photo of a Samsung',
      'heic_picture',
      () => Buffer.from(`\0\0\0\x18ftypmif1\0\0\0\0mif1heic`),
    ],
    ['an AVIF', 'not_a_picture', () => Buffer.from(`\0\0\0\x18ftypavif\0\0\0\0mif1avif`)],
    [
      'a truncated picture',
      'not_a_picture',
      async () => (await aPicture('#2b62b8')).subarray(0, 900),
    ],
    [
      'a picture of too many pixels',
      'picture_too_large',
      () =>
        sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
    ],
  ])('is refused, also as a portrait: %s', async (_, code, bytes) => {
    const before = await filesOnDisk(app)
    for (const purpose of ['cover', 'portrait'] as const) {
      const refused = upload(app, teacher, await bytes(), { purpose, name: 'photo.png' })
      await expect(refused).rejects.toMatchObject({ code })
    }
    expect(await filesOnDisk(app)).toEqual(before)
  })
})
