import { expect, test } from 'vitest'
import { searchDocuments } from '../../../src/contract/catalogue.ts'
import { dinars } from '../../../src/rules/money.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)

const idOf = async (table: 'matieres' | 'niveaux' | 'categories', code: string) => {
  const rows = app.deps.database.kysely.selectFrom(table).select('id').where('code', '=', code)
  return (await rows.executeTakeFirstOrThrow()).id
}
const maths = await idOf('matieres', 'mathematics')
const ninth = await idOf('niveaux', 'basic-9')
const eighth = await idOf('niveaux', 'basic-8')
const exams = await idOf('categories', 'exams')

async function aPaper(title: string, niveauId: number, facts?: object): Promise<number> {
  const { id } = await app.aDocument({ title, matiereId: maths, niveauId, categoryId: exams })
  if (facts) await app.change('documents', id, facts)
  return id
}
const first = await aPaper('Pythagore et Thalès', ninth, {
  paperKind: 'ordinary',
  paperNumber: '1',
  trimester: 't1',
  correctionPage: 3,
})
const second = await aPaper('Équations', ninth, { paperKind: 'control', paperNumber: '2' })
const third = await aPaper('Fractions', eighth, { paperKind: 'synthesis', paperNumber: '1' })
const words = await aPaper('Devoir de contrôle n°1 maths 9ème', ninth)

const search = (title: string) => app.call(searchDocuments, { query: { title } })
const ids = async (title: string) => (await search(title)).content.map(({ id }) => id)

test.each([
  ['Devoir de contrôle n°1, maths, 9ème, avec correction', [first]],
  ['DC1 maths 9ème', [first]],
  ['devoir de contrôle 1 maths 9ème', [first, words]],
  ['فرض عادي عدد 1 رياضيات 9 أساسي', [first]],
  ['DC 2 maths 9ème', [second]],
  ['DS1 maths 8ème', [third]],
  ['Équations DC 2', [second]],
])('%s finds the documents that have its facts first', async (title, wanted) => {
  expect((await ids(title)).slice(0, wanted.length)).toEqual(wanted)
})

test('the exact kind that was asked for comes first among equals', async () => {
  const of = (paperKind: 'control' | 'ordinary') => ({ paperKind, paperNumber: '5' })
  const ordinary = await aPaper('Racines', ninth, of('ordinary'))
  const control = await aPaper('Puissances', ninth, of('control'))
  const latest = await aPaper('Intervalles', ninth, of('ordinary'))
  expect(await ids('devoir de contrôle 5 maths')).toEqual([control, latest, ordinary])
  expect(await ids('devoir ordinaire 5 maths')).toEqual([latest, ordinary, control])
  const filtered = async (query: object) =>
    (await app.call(searchDocuments, { query: { paperNumber: 5, ...query } })).content.map(
      ({ id }) => id,
    )
  expect(await filtered({ paperKind: 'control' })).toEqual([control, latest, ordinary])
  expect(await filtered({ paperKind: 'ordinary' })).toEqual([latest, ordinary, control])
  // An order that somebody chose is kept.
  await app.change('documents', ordinary, { price: dinars(2) })
  expect(await filtered({ paperKind: 'control', sort: 'price' })).toEqual([
    ...[ordinary, control, latest],
  ])
})

test('what was understood is said, and each part can be taken away', async () => {
  const { understood = [] } = await search('DC 2 maths 9ème')
  expect(understood).toEqual(
    expect.arrayContaining([
      { filter: 'paperKind', value: 'control', left: '2 maths 9ème' },
      { filter: 'matiereId', value: String(maths), left: 'DC 2 9ème' },
      { filter: 'niveauId', value: String(ninth), left: 'DC 2 maths' },
    ]),
  )
})

test('filters that are set hold for what was understood, and are counted with it', async () => {
  const query = { title: 'DC 2 maths', niveauId: eighth } as const
  const beside = await app.call(searchDocuments, { query })
  expect(beside.content).toEqual([])
  expect(beside).not.toHaveProperty('understood')
  const of = async (niveauId: number) =>
    (await app.call(searchDocuments, { query: { title: 'DC1 maths', niveauId } })).facets?.niveauId
  const another = await aPaper('Puissances', eighth, { paperKind: 'control', paperNumber: '1' })
  expect(await of(eighth)).toEqual({ [ninth]: 1, [eighth]: 1 })
  expect(await of(ninth)).toEqual({ [ninth]: 1, [eighth]: 1 })
  await app.change('documents', another, { state: 'unpublished' })
})

test('a search in the letters of the other keyboard is proposed in its own', async () => {
  const { spelling, totalElements } = await search('hgvdhqdhj')
  expect([totalElements, spelling]).toEqual([0, { text: 'الرياضيات', isApplied: false }])
})

test('a class and a subject are facts of any document', async () => {
  const science = await idOf('matieres', 'science')
  const place = { niveauId: ninth, matiereId: science }
  const { id } = await app.aDocument({ ...place, title: 'La digestion' })
  // Its title has both words, of which one is its class's and the other means another subject.
  await app.aDocument({ niveauId: ninth, matiereId: maths, title: 'Sciences 9ème' })
  const { content, understood } = await search('svt 9ème')
  expect([content[0]?.id, understood?.map(({ filter }) => filter)]).toEqual([
    id,
    ['niveauId', 'matiereId'],
  ])
  expect((await ids('digestion svt 9ème'))[0]).toBe(id)
})

test('a section apart from its year is understood as a whole', async () => {
  const bac = await idOf('niveaux', 'bac-math')
  const physics = await idOf('matieres', 'physics')
  const { id } = await app.aDocument({ niveauId: bac, matiereId: physics, title: 'Optique' })
  await app.change('documents', id, { paperKind: 'bac_main', schoolYear: 2022 })
  const { content, understood = [] } = await search('bac 2022 physique section math')
  expect(content[0]?.id).toBe(id)
  const classChip = understood.find(({ filter }) => filter === 'niveauId')
  expect(classChip).toEqual({ filter: 'niveauId', value: String(bac), left: '2022 physique' })
})

test('a subject alone, unknown facts and a literal search are found by their words', async () => {
  expect(await search('maths')).not.toHaveProperty('understood')
  expect(await search('DC 77')).not.toHaveProperty('understood')
  const literal = { title: 'DC 2 maths 9ème', literal: 'true' } as const
  expect(await app.call(searchDocuments, { query: literal })).not.toHaveProperty('understood')
})
