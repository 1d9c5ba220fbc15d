import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { confirmEmail } from '../../../src/contract/accounts.ts'
import {
  getTeacher,
  listTeacherDocuments,
  listTeachers,
  searchDocuments,
} from '../../../src/contract/catalogue.ts'
import { saveOwnDocument } from '../../../src/contract/office-documents.ts'
import { changeEmail } from '../../../src/contract/own-account.ts'
import { setBankAccount } from '../../../src/contract/payouts.ts'
import * as profile from '../../../src/contract/teacher-profile.ts'
import { DAY_MS, SECOND_MS } from '../../../src/rules/durations.ts'
import { PORTRAIT_FORMATS, PORTRAIT_WIDTHS, portraitPath } from '../../../src/rules/pictures.ts'
import { LINK_NAMES_MAX } from '../../../src/rules/teacher-links.ts'
import {
  BIO_MAX_LENGTH,
  PROFILE_SAVES_PER_HOUR,
  TEACHER_SUBJECTS_MAX,
} from '../../../src/rules/teacher-profile.ts'
import { NAME_MAX_LENGTH } from '../../../src/rules/validators.ts'
import { cleanUpFiles } from '../../../src/server/uploads/uploads.ts'
import { tokenIn } from '../../support/mail.ts'
import { PASSWORD, type Person, withOfficeToken } from '../../support/people.ts'
import { aPicture } from '../../support/picture.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'
import { sendFile, upload } from '../../support/uploads.ts'

const app = await sharedApp()
const teacher = await app.anOfficeTeacher({ firstName: 'سلمى', lastName: 'بن عمر', bio: '' })

const readProfile = (as = teacher) => app.call(profile.getOwnProfile, { as })
const publicPage = (id = teacher.teacherId) => app.call(getTeacher, { params: { id } })

const TEXT: profile.ProfileText = {
  firstName: 'سلمى',
  lastName: 'بن عمر',
  latinName: '',
  contactEmail: '',
  bio: 'أدرّس الرياضيات منذ عشرين سنة.',
  bioFr: '',
  bioEn: '',
  subjectIds: [],
  levels: [],
}

async function save(changes: Partial<profile.ProfileText>, revision?: number) {
  const now = await readProfile()
  const text = Object.fromEntries(
    Object.keys(TEXT).map((name) => [name, now[name as keyof profile.ProfileText]]),
  ) as profile.ProfileText
  const body = { ...text, ...(text.bio === '' && { bio: TEXT.bio }), ...changes }
  const revised = { revision: revision ?? now.revision, ...body }
  return await app.call(profile.saveOwnProfile, { as: teacher, body: revised })
}

describe('a teacher’s profile', () => {
  test('is public at once, in every language that the teacher wrote', async () => {
    const subjectIds = [await app.aMatiere('Mathématiques'), await app.aMatiere('Physique')]
    const other = await app.anOfficeTeacher()
    app.published.length = 0
    const saved = await save({
      latinName: ' Salma Ben Amor ',
      bioFr: 'J’enseigne depuis vingt ans.\nÀ Sfax.',
      bioEn: 'I have been teaching for twenty years.',
      subjectIds: subjectIds.toReversed(),
      levels: ['primary-school', 'high-school'],
    })
    expect(saved).toMatchObject({ latinName: 'Salma Ben Amor', subjectIds, revision: 1 })
    expect(await readProfile()).toEqual(saved)
    expect(await publicPage()).toMatchObject({
      username: 'سلمى بن عمر',
      latinName: 'Salma Ben Amor',
      bio: TEXT.bio,
      bioFr: 'J’enseigne depuis vingt ans.\nÀ Sfax.',
      subjects: [
        { id: subjectIds[0], name: 'Mathématiques' },
        { id: subjectIds[1], name: 'Physique' },
      ],
      levels: ['high-school', 'primary-school'],
    })
    expect(new Set(app.published)).toEqual(
      new Set([`teacher:${teacher.teacherId}`, 'teachers', 'catalogue']),
    )
    const notes = await app.kysely.selectFrom('pageChanges').select('tags').execute()
    expect(notes.at(-1)?.tags).toContain(`teacher:${teacher.teacherId}`)
    // The staff log records who did what.
    const log = await app.kysely.selectFrom('staffLog').selectAll().orderBy('id').execute()
    expect(log.at(-1)).toMatchObject({
      actor: `user ${teacher.id}`,
      action: 'change profile',
      subjectKind: 'teacher',
      subjectId: teacher.teacherId,
      reason: expect.stringContaining('latinName="Salma Ben Amor"'),
    })
    // Empty fields are not sent.
    const plain = await publicPage(other.teacherId)
    expect(Object.keys(plain)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/latin|bioFr|bioEn|picture|subjects|levels/)]),
    )
  })

  test('shows no address until the teacher writes one, and never the one of the log-in', async () => {
    const fresh = await app.anOfficeTeacher()
    const shown = async () => (await publicPage(fresh.teacherId)).email
    const saveContact = async (contactEmail: string) => {
      const { revision } = await readProfile(fresh)
      const body = { ...TEXT, contactEmail, revision }
      return await app.call(profile.saveOwnProfile, { as: fresh, body })
    }
    expect(await shown()).toBe('')
    expect(JSON.stringify(await app.call(listTeachers, {}))).not.toContain(fresh.email)
    const own = saveContact(` ${fresh.email.toUpperCase()}`)
    await expect(own).rejects.toMatchObject({ body: { fields: { contactEmail: 'invalid' } } })
    const none = saveContact('salma at mail')
    await expect(none).rejects.toMatchObject({ body: { fields: { contactEmail: 'email' } } })
    await saveContact('Salma@Lessons.example')
    expect(await shown()).toBe('Salma@Lessons.example')

    // Once it is the log-in, the page stops to show it.
    const email = 'salma@lessons.example'
    await app.call(changeEmail, { as: fresh, body: { email, password: PASSWORD } })
    const mail = (await app.mails()).find(({ headers }) => headers.includes(`To: ${email}`))
    const token = tokenIn(mail)
    await app.call(confirmEmail, { body: { token } })
    expect(await shown()).toBe('')
    const notes = await app.kysely.selectFrom('pageChanges').select('tags').execute()
    expect(notes.at(-1)?.tags).toContain(`teacher:${fresh.teacherId}`)
  })

  test('saved unchanged changes nothing, and announces no pages', async () => {
    const before = await save({})
    app.published.length = 0
    const again = await save({ levels: [...before.levels, ...before.levels].slice(0, 4) }, 0)
    expect(again).toEqual(before)
    expect(app.published).toEqual([])
  })

  test('names the teacher on cards and in the search, also on documents that are saved meanwhile', async () => {
    const { id } = await app.aDocument({ teacherId: teacher.teacherId, title: 'Les fractions' })
    const find = async (title: string) => {
      const { content } = await app.call(searchDocuments, { query: { title } })
      return content.map((each) => each.id)
    }
    const texts = { firstName: 'زينب', latinName: 'Zeineb Trabelsi' }
    const body = { ...(await fullText(id)), title: 'Les puissances' }
    await Promise.all([
      save(texts),
      app.call(saveOwnDocument, { as: teacher, params: { id }, body }),
    ])
    expect(await find('trabelsi puissances')).toEqual([id])
    expect(await find('زينب')).toEqual([id])
    expect(await find('سلمى')).toEqual([])
    const input = { params: { teacherId: teacher.teacherId } }
    const [card] = await app.call(listTeacherDocuments, input)
    expect(card?.teacher).toMatchObject({ name: 'زينب بن عمر', latinName: 'Zeineb Trabelsi' })
    await save({ firstName: TEXT.firstName, latinName: '' })
    expect(await find('trabelsi')).toEqual([])
    const [plain] = await app.call(listTeacherDocuments, input)
    expect(plain?.teacher).toEqual({ id: teacher.teacherId, name: 'سلمى بن عمر' })
  })

  async function fullText(id: number) {
    const row = await app.kysely
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { revision, description, priceDiscount, matiereId, niveauId, categoryId } = row
    const names = { matiereId, niveauId, categoryId, type: row.audience }
    return { revision, description, price: 5, priceDiscount, ...names }
  }

  test('in two tabs: the older one is refused, and overwrites nothing', async () => {
    const { revision } = await readProfile()
    await save({ bioEn: 'One tab.' }, revision)
    await expectCode(save({ bioEn: 'The other.' }, revision), 'profile_changed')
    expect((await readProfile()).bioEn).toBe('One tab.')
    const both = await Promise.allSettled(
      ['a', 'b', 'c'].map((bioEn) => save({ bioEn }, revision + 1)),
    )
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.each([
    ['no first name', { firstName: '  ' }, 'firstName', 'required'],
    ['no Arabic text', { bio: '' }, 'bio', 'required'],
    ['a name of 5,000 characters', { lastName: 'x'.repeat(5000) }, 'lastName', 'maxLength'],
    [
      'a name one character too long',
      { latinName: 'x'.repeat(NAME_MAX_LENGTH + 1) },
      'latinName',
      'maxLength',
    ],
    ['a text that is too long', { bioFr: 'é'.repeat(BIO_MAX_LENGTH + 1) }, 'bioFr', 'maxLength'],
    ['a name on two lines', { firstName: 'a\nb' }, 'firstName', 'pattern'],
    ['a Latin name in Arabic letters', { latinName: 'سلمى' }, 'latinName', 'pattern'],
    ['an unknown subject', { subjectIds: [999_999] }, 'subjectIds', 'invalid'],
    ['an unknown level', { levels: ['nursery'] }, 'levels.0', 'invalid'],
    [
      'too many subjects',
      { subjectIds: Array.from({ length: TEACHER_SUBJECTS_MAX + 1 }, (_, at) => at + 1) },
      'subjectIds',
      'invalid',
    ],
  ])('refuses %s, and says which field is wrong', async (_, changes, field, reason) => {
    const before = await readProfile()
    const refused = save(changes as Partial<profile.ProfileText>)
    await expectRefused(refused, 400, 'invalid_input', { fields: { [field]: reason } })
    expect(await readProfile()).toEqual(before)
  })

  test('treats text as text: what looks like HTML stays as written', async () => {
    const bioFr = '<script>alert(1)</script> **gras** ﷽'
    // An override of direction, with which text reads otherwise than it is, is left out.
    expect((await save({ bioFr: `${bioFr}\u202e` })).bioFr).toBe(bioFr)
    expect((await publicPage()).bioFr).toBe(bioFr)
  })

  test('is the caller’s own', async () => {
    const other = await app.anOfficeTeacher({ firstName: 'Leïla' })
    expect((await readProfile(other)).id).toBe(other.teacherId)
    expect((await publicPage()).firstName).toBe('سلمى')
  })

  test('can be saved a limited number of times an hour', async () => {
    const frequent = await app.anOfficeTeacher()
    const body = { ...TEXT, revision: 0 }
    const save = () => app.call(profile.saveOwnProfile, { as: frequent, body })
    // After the first one the text is the same, which counts too.
    for (let at = 0; at < PROFILE_SAVES_PER_HOUR; at++) await save()
    await expectCode(save(), 'too_many_requests')
  })

  test('shows only the last digits of the bank account', async () => {
    expect((await readProfile()).bankAccountEnding).toBeNull()
    const body = { holder: 'Salma', rib: '10006035183598478831' }
    await app.call(setBankAccount, { as: teacher, body: { ...body, password: PASSWORD } })
    expect((await readProfile()).bankAccountEnding).toBe('8831')
  })
})

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
    const second = await setPicture('#11766a', await withOfficeToken(app.deps, teacher))
    app.travel(2 * DAY_MS)
    await cleanUpFiles(app.deps)
    expect(await app.deps.files.sizeOf(keyOf(first.picturePath))).toBeNull()
    expect(await app.deps.files.sizeOf(keyOf(second.picturePath))).toBeGreaterThan(0)
    expect(await served(first.picturePath)).toBe(404)
    expect(await served(second.picturePath)).toBe(200)
  })
})

describe('a teacher’s link', () => {
  const choose = (link: string, as: Person) => app.call(profile.setOwnLink, { as, body: { link } })
  const visit = async (name: string) => {
    const answer = await fetch(`${app.url}/t/${name}`, { redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }

  test('leads to the public page, also by each earlier name, which may be chosen again', async () => {
    const owner = await app.anOfficeTeacher()
    const page = (name: string) => [302, `/teacher-details/${owner.teacherId}?link=${name}`]
    expect((await readProfile(owner)).link).toBeNull()
    expect((await choose('salma-maths', owner)).link).toBe('salma-maths')
    app.travel(SECOND_MS)
    expect((await choose('salma-9', owner)).link).toBe('salma-9')
    expect(await visit('salma-maths')).toEqual(page('salma-maths'))
    expect(await visit('Salma-9')).toEqual(page('salma-9'))
    app.travel(SECOND_MS)
    expect((await choose('salma-maths', owner)).link).toBe('salma-maths')
    expect(await visit('nobody')).toEqual([302, '/teachers'])
    expect(await visit('%27%20OR%201')).toEqual([302, '/teachers'])
    expect(await visit('salma%00')).toEqual([302, '/teachers'])
  })

  test('and the code on a page lead on, whatever the address says', async () => {
    const follow = async (path: string) => {
      const answer = await fetch(`${app.url}${path}`, { redirect: 'manual' })
      return [answer.status, answer.headers.get('location')]
    }
    expect(await follow('/d/12')).toEqual([302, '/shop-details/12'])
    expect(await follow('/d/12x')).toEqual([302, '/shop'])
    expect(await follow(`/d/${'9'.repeat(30)}`)).toEqual([302, '/shop'])
    expect(await follow('/d/%2F%2Fevil.example')).toEqual([302, '/shop'])
  })

  test('is of one teacher alone, also of two who choose it at once, and has few letters', async () => {
    const [one, two] = [await app.anOfficeTeacher(), await app.anOfficeTeacher()]
    const asked = await Promise.allSettled([choose('wanted', one), choose('wanted', two)])
    expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await choose('taken', one)
    await expectCode(choose('taken', two), 'link_taken')
    for (const name of ['ab', 'Salma', 'سلمى', 'a b', 'a/b', 'a'.repeat(31)]) {
      await expectCode(choose(name, one), 'invalid_input')
    }
  })

  test('has ten names at most, even if they are chosen at once', async () => {
    const eager = await app.anOfficeTeacher()
    const names = Array.from({ length: LINK_NAMES_MAX + 3 }, (_, at) => `eager-${at}`)
    const asked = await Promise.allSettled(names.map((name) => choose(name, eager)))
    const chosen = names.filter((_, at) => asked[at]?.status === 'fulfilled')
    expect(chosen).toHaveLength(LINK_NAMES_MAX)
    await expectCode(choose('one-more', eager), 'too_many_links')
    expect((await choose(chosen[0] ?? '', eager)).link).toMatch(/^eager-/)
  })
})
