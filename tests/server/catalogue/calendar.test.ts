import { describe, expect, test } from 'vitest'
import * as office from '../../../src/contract/office-calendar.ts'
import { getWaiting } from '../../../src/contract/office-desk.ts'
import * as versions from '../../../src/contract/office-site-versions.ts'
import { getClassProgramme, getSubjectProgramme } from '../../../src/contract/programme.ts'
import { CALENDAR_MAX } from '../../../src/rules/calendar.ts'
import { CALENDAR_TAG } from '../../../src/rules/page-tags.ts'
import { daysAfter, tunisianDay } from '../../../src/rules/tunisia-time.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { testApp } from '../../support/app.ts'
import { refused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)
const admin = await app.anOfficeAdministrator({ firstName: 'Hajer', lastName: 'Mansouri' })
const today = () => tunisianDay(new Date(app.deps.now()))

const read = () => app.call(office.getCalendar, { as: admin })
async function save(entries: office.SavedEntry[], revision?: number) {
  const body = { revision: revision ?? (await read()).revision, entries }
  return await app.call(office.saveCalendar, { as: admin, body })
}
const dates = (from: number, to: number, more: Partial<office.SavedEntry> = {}) => ({
  ...({ id: null, kind: 'synthesis', trimester: 't1', source: 'x', classes: ['basic-9'] } as const),
  ...{ from: daysAfter(today(), from), to: daysAfter(today(), to) },
  ...more,
  classes: [...(more.classes ?? ['basic-9'])],
})
const ofClass = (classCode = 'basic-9') => app.call(getClassProgramme, { params: { classCode } })

describe('the calendar of tests', () => {
  test('begins with the dates of 2025/26, which are over and shown nowhere', async () => {
    const { entries, revision } = await read()
    expect(revision).toBe(0)
    expect(entries.map(({ kind, from }) => [kind, from])).toContainEqual([
      'concours9',
      '2026-06-18',
    ])
    const classes = await app.kysely.selectFrom('niveaux').select('code').execute()
    const codes = classes.map(({ code }) => code)
    for (const { classes: named, to } of entries) {
      expect(codes).toEqual(expect.arrayContaining(named))
      expect(to < '2026-07-10').toBe(true)
    }
  })

  test('shows a class what is ahead, and in its week the papers of the years before', async () => {
    const [maths, ninth] = await Promise.all(
      (['matieres', 'niveaux'] as const).map(async (table) => {
        const code = table === 'matieres' ? 'mathematics' : 'basic-9'
        const row = app.kysely.selectFrom(table).select('id').where('code', '=', code)
        return (await row.executeTakeFirstOrThrow()).id
      }),
    )
    const { id } = await app.aDocument({ matiereId: maths as number, niveauId: ninth as number })
    await app.change('documents', id, { paperKind: 'synthesis', paperNumber: '1' })
    app.published.length = 0
    const { entries } = await save([
      dates(20, 26, { trimester: 't2' }),
      dates(0, 5),
      dates(-9, -1),
      dates(0, 5, { classes: ['basic-8'] }),
    ])
    expect(app.published).toContain(CALENDAR_TAG)
    expect(entries.map((entry) => entry.from)).toEqual(entries.map((entry) => entry.from).sort())
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(4)
    const { ahead, thisWeek, ...programme } = await ofClass()
    expect(programme.today).toBe(today())
    expect(ahead.map(({ trimester }) => trimester)).toEqual(['t1', 't2'])
    expect(thisWeek).toMatchObject([
      {
        dates: { kind: 'synthesis', trimester: 't1' },
        subjects: [{ matiere: { code: 'mathematics' }, documents: 1, corrected: 0 }],
      },
    ])
    const params = { classCode: 'basic-9', subjectCode: 'mathematics' }
    expect((await app.call(getSubjectProgramme, { params })).ahead).toEqual(ahead)
    expect((await ofClass('primary-1')).ahead).toEqual([])
  })

  test('is logged, and goes back to an earlier version', async () => {
    const { revision } = await read()
    await save([dates(3, 4, { kind: 'mock', trimester: null })])
    const [line] = await logOf(app, 'calendar')
    expect(line?.action).toBe('change')
    const query = { subject: 'calendar' } as const
    const shown = await app.call(versions.getSiteDifferences, {
      ...{ as: admin, params: { revision: revision + 1 }, query },
    })
    expect(shown.flatMap(({ parts }) => parts.map(({ text }) => text)).join()).toContain('mock')
    const body = { ...query, revision: revision + 1, to: 0 }
    await app.call(versions.restoreSiteVersion, { as: admin, body })
    expect((await read()).entries.some(({ from }) => from === '2026-06-18')).toBe(true)
  })

  test('refuses what nobody can mean, and a change of an older state', async () => {
    expect(await refused(save([dates(3, 2)]))).toMatchObject({ status: 400 })
    expect(await refused(save([dates(0, 1, { classes: ['basic-10'] })]))).toMatchObject({
      fields: { classes: 'invalid' },
    })
    const many = Array.from({ length: CALENDAR_MAX + 1 }, (_, at) => dates(at, at))
    expect(await refused(save(many))).toMatchObject({ status: 400 })
    const { revision } = await read()
    await save([dates(1, 2)], revision)
    expect(await refused(save([dates(1, 3)], revision))).toMatchObject({ code: 'done_before' })
    // The same again is no change.
    expect(
      (await save([{ ...dates(1, 2), id: (await read()).entries[0]?.id ?? null }])).revision,
    ).toBe(revision + 1)
  })

  test('gives ids itself, so that none is the last one that there is', async () => {
    const { entries } = await save([dates(1, 2, { id: 2_147_483_647 })])
    expect(entries.map(({ id }) => id < 1000)).toEqual([true])
    expect((await save([...entries, dates(2, 3)])).entries).toHaveLength(2)
  })
})

test('in the school year, the list of what is left to do asks a shop that sells for dates', async () => {
  const real = await testApp({ env: { SITE_URL: 'https://karras.test' } })
  await fillSchoolLists(real.deps.database)
  const as = await real.anOfficeAdministrator({})
  const asks = async () => {
    const { groups } = await real.call(getWaiting, { as })
    return groups.some(({ kind }) => kind === 'calendar')
  }
  const day = tunisianDay(new Date(real.deps.now()))
  const isSummer = ['06', '07', '08'].includes(day.slice(5, 7))
  expect(await asks()).toBe(!isSummer)
  const to = daysAfter(day, 2)
  await real.call(office.saveCalendar, {
    as,
    body: { revision: 0, entries: [{ ...dates(0, 0), from: to, to }] },
  })
  expect(await asks()).toBe(false)
})
