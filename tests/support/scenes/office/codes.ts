import { NO_ROWS } from './kinds.ts'

const teacher = { id: 1, name: 'سلمى بن عمر' }
const aCode = {
  id: 4,
  code: 'K7MPQ4',
  percent: 20,
  atMost: 5,
  amount: null as number | null,
  startsAt: '2026-09-01T10:00:00Z',
  endsAt: '2027-06-30T23:00:00Z' as string | null,
  usesMax: 100 as number | null,
  usesPerPerson: 1,
  leastTotal: 10,
  state: 'running',
  createdAt: '2026-09-01T10:00:00Z',
  scope: { kind: 'all', targets: [] as object[] },
  teacher: teacher as typeof teacher | null,
  uses: 31,
  paid: 412.8,
  takenOff: 103.2,
}
const documents = [
  { id: 1, name: 'Devoir de contrôle n°1, mathématiques, 9ème année de base' },
  { id: 2, name: 'فرض تأليفي عدد 2 في الرياضيات' },
  { id: 3, name: 'سلسلة تمارين عدد 4' },
  { id: 4, name: 'Résumé de géométrie' },
]

/** A code in each state, as the server answers them: amounts in dinars. */
export const SOME_CODES = {
  ...NO_ROWS,
  content: [
    aCode,
    {
      ...aCode,
      ...{ id: 3, code: 'RENTREE-2026-MATHS-9', percent: null, atMost: null, amount: 2.5 },
      ...{ startsAt: '2026-12-01T23:00:00Z', endsAt: null, usesMax: null, state: 'coming' },
      ...{ scope: { kind: 'documents', targets: documents }, uses: 0, paid: 0, takenOff: 0 },
    },
    { ...aCode, id: 2, code: 'AID', teacher: null, uses: 100, state: 'used_up' },
    { ...aCode, id: 1, code: 'BAC', state: 'ended' },
  ],
  totalElements: 4,
  totalPages: 1,
  leftAlone: 200,
}
