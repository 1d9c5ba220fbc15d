import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import {
  confirmEmail,
  keepConfirmationToken,
} from '../../../src/server/accounts/email-confirmations.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { purchase } from '../../../src/server/money/purchase.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { setHidden } from '../../../src/server/ratings/moderation.ts'
import type { Subject } from '../../../src/server/ratings/ratings.ts'
import {
  changeRating,
  checkRatings,
  rate,
  removeRating,
} from '../../../src/server/ratings/ratings.ts'
import { amount } from '../../support/amount.ts'
import { type TestApp, testApp } from '../../support/app.ts'

const SEED = Number(process.env.RATING_SEED ?? 20_261_121)
const HISTORIES = amount('RATING_HISTORIES', { usual: 10, long: 30 })
const LENGTH = 40

/** A rating as plain data; `count` below is the rule in its plainest form. */
interface ModelRating {
  readonly subject: Subject
  id: number
  stars: number
  comment: string
  isHidden: boolean
  isWithdrawn: boolean
}

interface ModelPerson {
  readonly id: number
  isConfirmed: boolean
  /** The order of each document owned. */
  readonly owned: Map<number, number>
  readonly ratings: ModelRating[]
}

interface World {
  readonly app: TestApp
  readonly people: ModelPerson[]
  readonly teachers: number[]
  readonly documents: { id: number; teacherId: number; isFree: boolean }[]
}

async function aWorld(app: TestApp): Promise<World> {
  const people = []
  for (const isConfirmed of [true, false, false]) {
    const { id } = await app.aCustomer({ balance: dinars(10_000), isConfirmed })
    people.push({ id, isConfirmed, owned: new Map(), ratings: [] })
  }
  const world: World = { app, people, teachers: [], documents: [] }
  for (let at = 0; at < 2; at++) {
    const { id: teacherId } = await app.aTeacher()
    world.teachers.push(teacherId)
    for (const price of [0, dinars(2)]) {
      const { id } = await app.aDocument({ teacherId, price })
      world.documents.push({ id, teacherId, isFree: price === 0 })
    }
  }
  return world
}

const aCommand = fc.record({
  name: fc.constantFrom(
    ...(['rate', 'rate', 'rate', 'change', 'remove', 'hide', 'unhide'] as const),
    ...(['confirm', 'buy', 'buy', 'buy', 'refund'] as const),
  ),
  who: fc.nat(2),
  what: fc.nat(1023),
  how: fc.nat(1023),
})
type Command = typeof aCommand extends fc.Arbitrary<infer C> ? C : never

async function runStep(
  { app, people, documents, teachers }: World,
  command: Command,
): Promise<void> {
  const { deps } = app
  const { database } = deps
  const { name, what, how } = command
  const me = people[command.who] as ModelPerson
  const form = { stars: 1 + (how % 5), comment: how % 3 === 0 ? '' : 'Des mots' }
  const mine = me.ratings[what % me.ratings.length]
  const document = documents[what % documents.length] as World['documents'][number]
  switch (name) {
    case 'rate': {
      const subject: Subject =
        how % 2 === 0
          ? { kind: 'document', id: document.id }
          : { kind: 'teacher', id: teachers[what % 2] ?? 0 }
      const { id } = await rate(database, me.id, subject, form)
      const same = me.ratings.find(
        ({ subject: { kind, id } }) => kind === subject.kind && id === subject.id,
      )
      if (same) Object.assign(same, form, { isWithdrawn: false })
      else me.ratings.push({ ...form, id, subject, isHidden: false, isWithdrawn: false })
      return
    }
    case 'change':
      if (!mine || mine.isWithdrawn) return
      await changeRating(database, me.id, mine.id, form)
      Object.assign(mine, form)
      return
    case 'remove':
      if (!mine || mine.isWithdrawn) return
      await removeRating(database, me.id, mine.id)
      if (mine.isHidden) mine.isWithdrawn = true
      else me.ratings.splice(me.ratings.indexOf(mine), 1)
      return
    case 'hide':
    case 'unhide': {
      if (!mine) return
      const hides = name === 'hide'
      const hiding = setHidden(deps, mine.id, { actor: 'test', reason: hides ? 'why' : null })
      if (!mine.isWithdrawn && mine.isHidden === hides) {
        const code = expect.stringMatching(/^(done_before|rating_not_hidden)$/)
        await expect(hiding).rejects.toMatchObject({ code })
        return
      }
      await hiding
      if (!mine.isWithdrawn) mine.isHidden = hides
      return
    }
    case 'confirm':
      await confirmEmail(deps, await keepConfirmationToken(deps, me.id))
      me.isConfirmed = true
      return
    case 'buy': {
      const documentIds = [document.id, documents[how % documents.length]?.id ?? 0]
      const wanted = { buyerId: me.id, documentIds: [...new Set(documentIds)] }
      const { orderId, bought } = await transaction(database, (tx) => purchase(tx, wanted))
      for (const { documentId } of bought) me.owned.set(documentId, orderId ?? 0)
      return
    }
    case 'refund': {
      const [documentId, orderId] = [...me.owned][what % Math.max(1, me.owned.size)] ?? []
      if (documentId === undefined || orderId === undefined) return
      await refundOrder(deps, { orderId, documentId })
      me.owned.delete(documentId)
    }
  }
}

/** The expected sums of a subject. */
function countOf({ people, documents }: World, { kind, id }: Subject) {
  const counted = people
    .filter(({ isConfirmed }) => isConfirmed)
    .flatMap(({ ratings, owned }) =>
      ratings.filter(({ subject, isHidden }) => {
        if (isHidden || subject.kind !== kind || subject.id !== id) return false
        if (kind === 'document') return owned.has(id)
        return documents.some((one) => one.teacherId === id && !one.isFree && owned.has(one.id))
      }),
    )
  return {
    sum: counted.reduce((sum, { stars }) => sum + stars, 0),
    count: counted.length,
    ...(kind === 'teacher' && { reviews: counted.filter(({ comment }) => comment).length }),
  }
}

async function keptOf({ app, documents, teachers }: World) {
  const ofDocuments = await app.kysely
    .selectFrom('documents')
    .select(['id', 'ratingSum as sum', 'ratingCount as count'])
    .where(
      'id',
      'in',
      documents.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  const ofTeachers = await app.kysely
    .selectFrom('teachers')
    .select(['id', 'ratingSum as sum', 'ratingCount as count', 'reviewCount as reviews'])
    .where('id', 'in', teachers)
    .orderBy('id')
    .execute()
  return [...ofDocuments, ...ofTeachers].map(({ id: _, ...sums }) => sums)
}

test(`${HISTORIES} histories of ${LENGTH} commands match a plain recount: seed ${SEED}`, async () => {
  const app = await testApp()
  let counted = 0
  const history = fc.array(aCommand, { minLength: LENGTH, maxLength: LENGTH })
  await fc.assert(
    fc.asyncProperty(history, async (commands) => {
      const world = await aWorld(app)
      const subjects: Subject[] = [
        ...world.documents.map(({ id }) => ({ kind: 'document' as const, id })),
        ...world.teachers.map((id) => ({ kind: 'teacher' as const, id })),
      ]
      for (const command of commands) {
        await runStep(world, command)
        const expected = subjects.map((subject) => countOf(world, subject))
        expect(await keptOf(world), JSON.stringify(command)).toEqual(expected)
        counted += expected.reduce((sum, { count }) => sum + count, 0)
      }
    }),
    { seed: SEED, numRuns: HISTORIES, endOnFailure: true },
  )
  expect(await checkRatings(app.kysely)).toEqual([])
  // A history in which nothing counts proves nothing.
  expect(counted).toBeGreaterThan((HISTORIES * LENGTH) / 2)
})
