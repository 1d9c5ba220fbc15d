// @one-database: it is about files.
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { cancelUpload } from '../../src/contract/uploads.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'
import { filesOnDisk } from '../support/files-on-disk.ts'
import { aPdf } from '../support/pdf.ts'
import { aPicture } from '../support/picture.ts'
import { upload } from '../support/uploads.ts'

let app: TestApp
let teacher: Person

beforeAll(async () => {
  app = await testApp()
  teacher = await app.anOfficeTeacher()
  return app.stop
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

  test.each([
    ['an SVG', 'not_a_picture', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a web page', 'not_a_picture', () => Buffer.from('<html><script>alert(1)</script></html>')],
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
