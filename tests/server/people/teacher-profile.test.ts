import { describe, expect, test } from 'vitest'
import {
  getTeacher,
  listTeacherDocuments,
  searchDocuments,
} from '../../../src/contract/catalogue.ts'
import { saveOwnDocument } from '../../../src/contract/office-documents.ts'
import { setBankAccount } from '../../../src/contract/payouts.ts'
import * as profile from '../../../src/contract/teacher-profile.ts'
import {
  BIO_MAX_LENGTH,
  PROFILE_SAVES_PER_HOUR,
  TEACHER_SUBJECTS_MAX,
} from '../../../src/rules/teacher-profile.ts'
import { NAME_MAX_LENGTH } from '../../../src/rules/validators.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const teacher = await app.anOfficeTeacher({ firstName: 'سلمى', lastName: 'بن عمر', bio: '' })

const read = (as = teacher) => app.call(profile.getOwnProfile, { as })
const publicPage = (id = teacher.teacherId) => app.call(getTeacher, { params: { id } })

const TEXT: profile.ProfileText = {
  firstName: 'سلمى',
  lastName: 'بن عمر',
  latinName: '',
  bio: 'أدرّس الرياضيات منذ عشرين سنة.',
  bioFr: '',
  bioEn: '',
  subjectIds: [],
  levels: [],
}

async function save(changes: Partial<profile.ProfileText>, revision?: number) {
  const now = await read()
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
    expect(await read()).toEqual(saved)
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
    const { kysely } = app.deps.database
    const notes = await kysely.selectFrom('pageChanges').select('tags').execute()
    expect(notes.at(-1)?.tags).toContain(`teacher:${teacher.teacherId}`)
    // The staff log records who did what.
    const log = await kysely.selectFrom('staffLog').selectAll().orderBy('id').execute()
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
    const row = await app.deps.database.kysely
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { revision, description, priceDiscount, matiereId, niveauId, categoryId } = row
    const names = { matiereId, niveauId, categoryId, type: row.audience }
    return { revision, description, price: 5, priceDiscount, ...names }
  }

  test('in two tabs: the older one is refused, and overwrites nothing', async () => {
    const { revision } = await read()
    await save({ bioEn: 'One tab.' }, revision)
    await expectCode(save({ bioEn: 'The other.' }, revision), 'profile_changed')
    expect((await read()).bioEn).toBe('One tab.')
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
    const before = await read()
    const refused = save(changes as Partial<profile.ProfileText>)
    await expectRefused(refused, 400, 'invalid_input', { fields: { [field]: reason } })
    expect(await read()).toEqual(before)
  })

  test('treats text as text: what looks like HTML stays as written', async () => {
    const bioFr = '<script>alert(1)</script> **gras** ﷽ \u202e'
    expect((await save({ bioFr })).bioFr).toBe(bioFr)
    expect((await publicPage()).bioFr).toBe(bioFr)
  })

  test('is the caller’s own', async () => {
    const other = await app.anOfficeTeacher({ firstName: 'Leïla' })
    expect((await read(other)).id).toBe(other.teacherId)
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
    expect((await read()).bankAccountEnding).toBeNull()
    const body = { holder: 'Salma', rib: '10006035183598478831' }
    await app.call(setBankAccount, { as: teacher, body })
    expect((await read()).bankAccountEnding).toBe('8831')
  })
})
