import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { getTeacher } from '../../../src/contract/catalogue.ts'
import * as profile from '../../../src/contract/teacher-profile.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { PORTRAIT_FORMATS, PORTRAIT_WIDTHS, portraitPath } from '../../../src/rules/pictures.ts'
import { cleanUpFiles } from '../../../src/server/uploads/uploads.ts'
import { withOfficeToken } from '../../support/people.ts'
import { aPicture } from '../../support/picture.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'
import { sendFile, upload } from '../../support/uploads.ts'

const app = await sharedApp()
let teacher = await app.anOfficeTeacher({ firstName: 'سلمى', lastName: 'بن عمر', bio: '' })

const publicPage = (id = teacher.teacherId) => app.call(getTeacher, { params: { id } })

async function setPicture(color: string, as = teacher) {
  const { id } = await upload(app, as, await aPicture(color, 900, 600), { purpose: 'portrait' })
  return await app.call(profile.setOwnPicture, { as, body: { uploadId: id } })
}

describe('a teacher’s picture', () => {
  test('is served as a square in every size, immutably, and can be removed', async () => {
    app.published.length = 0
    const { picturePath } = await setPicture('#2b62b8')
    const sha256 = /[\da-f]{64}/.exec(picturePath ?? '')?.[0] ?? ''
    expect(picturePath).toBe(portraitPath(sha256))
    expect((await publicPage()).picturePath).toBe(picturePath)
    expect(new Set(app.published)).toEqual(new Set([`teacher:${teacher.teacherId}`, 'teachers']))
    for (const width of PORTRAIT_WIDTHS) {
      for (const format of PORTRAIT_FORMATS) {
        const answer = await fetch(app.url + portraitPath(sha256, width, format))
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          200,
          `image/${format}`,
        ])
        expect(answer.headers.get('cache-control')).toContain('immutable')
        const { width: wide, height } = await sharp(await answer.arrayBuffer()).metadata()
        expect([wide, height]).toEqual([width, width])
      }
    }
    for (const name of [`${sha256}-161.webp`, `${sha256}-160.avif`, `${'0'.repeat(64)}-160.webp`]) {
      expect((await fetch(`${app.url}/media/portraits/${name}`)).status).toBe(404)
    }
    const removed = await app.call(profile.setOwnPicture, { as: teacher, body: { uploadId: null } })
    expect(removed.picturePath).toBeNull()
    expect(await publicPage()).not.toHaveProperty('picturePath')
  })

  test('must be a checked upload of one’s own with that purpose; once', async () => {
    const other = await app.anOfficeTeacher()
    const take = (uploadId: string, as = teacher) =>
      app.call(profile.setOwnPicture, { as, body: { uploadId } })
    const theirs = await upload(app, other, await aPicture('#0a7'), { purpose: 'portrait' })
    await expectCode(take(theirs.id), 'upload_not_found')
    const cover = await upload(app, teacher, await aPicture('#0a7'), { purpose: 'cover' })
    await expectCode(take(cover.id), 'upload_not_found')
    const half = await sendFile(app, teacher, await aPicture('#0a7'), { purpose: 'portrait' })
    await expectCode(take(half.id), 'upload_incomplete')
    await expectCode(take('../../etc/passwd'), 'invalid_input')
    const mine = await upload(app, teacher, await aPicture('#b53036'), { purpose: 'portrait' })
    const taken = await take(mine.id)
    // The response was lost, and the browser repeats the request.
    expect(await take(mine.id)).toEqual(taken)
    await expectCode(take(mine.id, other), 'upload_not_found')
  })

  test('is kept while a page shows it, and its file is deleted a day after it was replaced', async () => {
    const sha256Of = (path: string | null) => /[\da-f]{64}/.exec(path ?? '')?.[0] ?? ''
    const first = await setPicture('#6a51a3')
    const served = (path: string | null) => fetch(app.url + path).then(({ status }) => status)
    expect(await served(first.picturePath)).toBe(200)
    app.travel(2 * DAY_MS)
    await cleanUpFiles(app.deps)
    const keyOf = (path: string | null) => `${sha256Of(path).slice(0, 2)}/${sha256Of(path)}.webp`
    expect(await app.deps.files.sizeOf(keyOf(first.picturePath))).toBeGreaterThan(0)
    // The token has expired.
    teacher = await withOfficeToken(app.deps, teacher)
    const second = await setPicture('#11766a')
    app.travel(2 * DAY_MS)
    await cleanUpFiles(app.deps)
    expect(await app.deps.files.sizeOf(keyOf(first.picturePath))).toBeNull()
    expect(await app.deps.files.sizeOf(keyOf(second.picturePath))).toBeGreaterThan(0)
    expect(await served(first.picturePath)).toBe(404)
    expect(await served(second.picturePath)).toBe(200)
  })
})
