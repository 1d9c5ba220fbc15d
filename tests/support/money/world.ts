import type { AnyCall, Input, Result } from '../../../src/contract/call.ts'
import { dinars, type Millimes } from '../../../src/rules/money.ts'
import { answer, offer } from '../../../src/server/bundles/shared.ts'
import { ApiFault } from '../../../src/server/http/errors.ts'
import { signToken } from '../../../src/server/http/identity.ts'
import { changeSetting } from '../../../src/server/money/settings.ts'
import { RefusedCall, type TestApp } from '../app.ts'
import type { Person } from '../factories.ts'
import type { KonnectStandIn } from '../konnect.ts'
import {
  emptyModel,
  type Model,
  type ModelConsent,
  type ModelCustomer,
  type ModelDocument,
  type ModelPayment,
} from './model-books.ts'

/** The numbers of a step select among what exists when it runs. */
export interface Step {
  readonly who: number
  readonly what: number
  readonly how: number
}

/** The customers, teachers and documents of one history, beside the model of their books. */
export interface World {
  readonly app: TestApp
  readonly konnect: KonnectStandIn
  readonly model: Model
  readonly people: Person[]
  readonly teacherIds: number[]
  /** How often each relevant event occurred. */
  readonly counts: Map<string, number>
  keys: number
}

/** The starting balance of a new customer's wallet. */
export const START = dinars(30)

export async function aWorld(
  app: TestApp,
  konnect: KonnectStandIn,
  counts: World['counts'],
): Promise<World> {
  const model = emptyModel()
  // Left over from the previous world; and earnings can be paid out at once.
  for (const [name, value] of [
    ['share_percent', null],
    ['hold_days', 0],
    ['payout_minimum', dinars(1)],
  ] as const) {
    await changeSetting(app.deps, { name, value, actor: 'test' })
  }
  const world: World = { app, konnect, model, people: [], teacherIds: [], counts, keys: 0 }
  for (let at = 0; at < 3; at++) {
    world.people.push(await app.aCustomer({ balance: START }))
    model.customers.push({ balance: START, owned: new Map() })
  }
  const shared = {
    matiereId: await app.aMatiere(),
    niveauId: await app.aClass(),
    categoryId: await app.aCategory(),
  }
  for (let teacher = 0; teacher < 2; teacher++) {
    const { teacherId } = await app.anOfficeTeacher()
    world.teacherIds.push(teacherId)
    await app.kysely
      .insertInto('bankAccounts')
      .values({
        teacherId,
        holder: 'Sami',
        rib: '0'.repeat(18).concat('97'),
        changedAt: new Date(),
      })
      .execute()
    model.teachers.push({ sharePercent: null, balance: 0, pendingPayout: null, withholding: 0 })
    for (const price of [0, 4.5, 12.25, 20].map(dinars)) {
      const { id } = await app.aDocument({ ...shared, teacherId, price })
      model.documents.push({ id, teacher, price })
    }
    const [, ...sold] = model.documents.slice(-4)
    for (const [price, documents] of [
      [dinars(12), sold.slice(0, 2)],
      [dinars(20), sold],
    ] as const) {
      const { id } = await app.aBundle({ teacherId, price, documents })
      model.bundles.push({ id, price, documents, consent: null })
    }
  }
  // Two teachers' codes and two of the shop: without a limit, from a least total, once a person, once in all.
  for (const terms of [
    { teacher: 0, percent: 35, most: null },
    { teacher: 1, percent: null, most: dinars(3), leastTotal: dinars(15) },
    { teacher: null, percent: 60, most: dinars(8), usesPerPerson: 1 },
    { teacher: null, percent: null, most: dinars(5), usesMax: 1 },
  ]) {
    const { teacher, percent, most, ...rest } = terms
    const limits = { usesMax: null, usesPerPerson: null, leastTotal: null, ...rest }
    const { code } = await app.aCode({
      teacherId: teacher === null ? null : (world.teacherIds[teacher] ?? null),
      ...(percent === null ? { amount: most } : { percent, atMost: most }),
      ...limits,
    })
    model.codes.push({ code, teacher, percent, most, ...limits })
  }
  const [, small, middle, large, , otherSmall, otherMiddle] = model.documents
  for (const [price, documents] of [
    [dinars(10), [small, otherMiddle]],
    [dinars(25), [middle, large, otherSmall]],
  ] as const) {
    await offerBundle(world, price, documents)
  }
  return world
}

/** Documents of both teachers at one price, to which both agree. */
async function offerBundle(
  { app, model, teacherIds }: World,
  price: Millimes,
  documents: readonly (ModelDocument | undefined)[],
): Promise<void> {
  const chosen = documents.flatMap((document) => document ?? [])
  const documentIds = chosen.map(({ id }) => id)
  const { id } = await offer(app.deps, 'test', { documentIds, price })
  for (const teacherId of teacherIds) {
    await answer(app.deps, { id, teacherId, actor: 'test', revision: 1, answer: 'agreed' })
  }
  const prices = chosen.map((document) => document.price)
  const consent: ModelConsent = { revision: 1, prices, answers: ['agreed', 'agreed'] }
  model.bundles.push({ id, price, documents: chosen, consent })
}

/** Closes this world's payments, so that the next one has the poller to itself. */
export async function closeWorld({ app }: World): Promise<void> {
  await app.kysely
    .updateTable('payments')
    .set({ nextCheckAt: null })
    .where('nextCheckAt', 'is not', null)
    .execute()
}

/** Moves the clock and refreshes tokens, which are valid for twelve hours only. */
export async function advanceClock(world: World, milliseconds: number): Promise<void> {
  const { app, people } = world
  app.travel(milliseconds)
  for (const [at, person] of people.entries()) {
    const user = { id: person.id, role: person.role, generation: 0 }
    people[at] = { ...person, token: await signToken(app.deps.secret, user, app.deps.now()) }
  }
}

/** The result, or the error code of a refusal. */
export const answerOf = <Answer>(work: Promise<Answer>): Promise<Answer | string> =>
  work.catch((error) => {
    if (error instanceof ApiFault) return error.code
    throw error
  })

/** The response, or the error code of a refusal. */
export async function callOrRefusal<C extends AnyCall>(
  { app }: World,
  call: C,
  input: Input<C> & { as: Person; key?: string },
): Promise<Result<C> | { refused: unknown }> {
  try {
    return await app.call(call, input)
  } catch (error) {
    if (error instanceof RefusedCall && error.status < 500) return { refused: error.code }
    throw error
  }
}

export const isRefused = (answer: unknown): answer is { refused: unknown } =>
  typeof answer === 'object' && answer !== null && 'refused' in answer

export function expectThat(holds: boolean, what: string, seen: unknown): void {
  if (!holds) throw new Error(`${what}, but the shop answered ${JSON.stringify(seen)}`)
}

export function count(world: World, what: string): void {
  world.counts.set(what, (world.counts.get(what) ?? 0) + 1)
}

export const at = <T>(things: readonly T[], index: number): T | undefined =>
  things[index % Math.max(1, things.length)]

export function payerOf({ model, people }: World, customer: ModelCustomer): Person {
  const person = people[model.customers.indexOf(customer)]
  if (!person) throw new Error('nobody has this wallet')
  return person
}

export function started(
  { model }: World,
  payment: Pick<ModelPayment, 'reference' | 'kind' | 'payer' | 'order' | 'amount'>,
): void {
  if (model.payments.some(({ reference }) => reference === payment.reference)) return
  const fresh = { isPaid: false, isSettled: false, isClosed: false }
  model.payments.push({ ...payment, ...fresh, isCancelled: false, isSpoilt: false })
}
