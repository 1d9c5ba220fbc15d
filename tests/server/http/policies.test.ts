import { describe, expect, test } from 'vitest'
import { type AnyCall, type Caller, defineCall } from '../../../src/contract/call.ts'
import { CALLS } from '../../../src/contract/index.ts'
import { nothing } from '../../../src/contract/values.ts'
import { blockUser } from '../../../src/server/accounts/accounts.ts'
import { signToken, TOKEN_LIFETIME_MS } from '../../../src/server/http/identity.ts'
import { type Route, route } from '../../../src/server/http/route.ts'
import { ROUTES } from '../../../src/server/routes.ts'
import { type Person, withOfficeToken } from '../../support/people.ts'
import { sharedApp } from '../../support/test.ts'
import { addressOf, sampleInput } from './samples.ts'

// A real shop, where administrators need a second factor. Every call is made by every kind of
// caller.
const POLICIES = ['anyone', 'user', 'staff', 'teacher', 'admin'] as const satisfies Caller[]

/** For each policy, a call that returns the user that the server identified. */
const probes = POLICIES.map((caller) =>
  defineCall(`GET /probe-${caller}`, caller, { result: nothing() }),
)
const setUp = defineCall('GET /probe-set-up', 'staff', {
  beforeSecondFactor: true,
  result: nothing(),
})
const answerUser = (call: AnyCall): Route => route(call, async ({ user }) => user ?? {})

/** The error codes for a kind of caller, by policy; null: allowed. */
type Refusals = Record<'user' | 'staff' | 'teacher' | 'admin' | 'beforeSecondFactor', string | null>

const refuseAll = (code: string): Refusals => ({
  user: code,
  staff: code,
  teacher: code,
  admin: code,
  beforeSecondFactor: code,
})
const shopToken: Refusals = { ...refuseAll('office_log_in_required'), user: null }
const lackingFactor = {
  user: 'second_factor_missing',
  staff: 'second_factor_missing',
  admin: 'second_factor_missing',
}

const all: Refusals = {
  user: null,
  staff: null,
  teacher: null,
  admin: null,
  beforeSecondFactor: null,
}
const inOffice: Refusals = { ...all, admin: 'wrong_role' }

const KINDS: readonly [kind: string, refusals: Refusals][] = [
  ['nobody', refuseAll('authentication_required')],
  ['a parent', shopToken],
  ['a parent with a token of the office', { ...refuseAll('wrong_role'), user: null }],
  ['a teacher with a token of the shop', shopToken],
  ['a teacher in the office', inOffice],
  ['a teacher in the office with one factor', inOffice],
  ['a teacher without a public page', { ...inOffice, teacher: 'wrong_role' }],
  [
    'an administrator with a token of the shop',
    { ...refuseAll('office_log_in_required'), user: 'second_factor_missing' },
  ],
  [
    'an administrator without the second factor',
    { teacher: 'wrong_role', beforeSecondFactor: null, ...lackingFactor },
  ],
  ['an administrator', { ...all, teacher: 'wrong_role' }],
  ['a teacher who is blocked', refuseAll('invalid_token')],
  ['an administrator who is blocked', refuseAll('invalid_token')],
  ['a teacher whose token has expired', refuseAll('invalid_token')],
  ['an administrator whose token has expired', refuseAll('invalid_token')],
]

const app = await sharedApp({
  env: { NODE_ENV: 'production', SITE_URL: 'https://shop.example' },
  routes: [...ROUTES, ...[...probes, setUp].map(answerUser)],
})
const { deps } = app
const parent = await app.aCustomer()
const teacher = await app.anOfficeTeacher()
const account = await app.aTeacherAccount()
const administrator = await app.anAdministrator()
const blocked = [await app.anOfficeTeacher(), await app.anOfficeAdministrator()]
for (const { id } of blocked) {
  await blockUser(deps, { userId: id, actor: 'test', reason: 'left' })
}
const expired = async (person: Person) => {
  const user = { ...person, generation: 0, factors: 2 as const }
  return { ...person, token: await signToken(deps.secret, user, Date.now() - TOKEN_LIFETIME_MS) }
}
const teacherId = teacher.teacherId
const shop = await signToken(deps.secret, { ...teacher, generation: 0 }, deps.now())
const people: Record<string, Person | null> = {
  nobody: null,
  'a parent': parent,
  'a parent with a token of the office': await withOfficeToken(deps, parent),
  'a teacher with a token of the shop': { ...teacher, token: shop },
  'a teacher in the office': teacher,
  'a teacher in the office with one factor': await withOfficeToken(deps, teacher, 1),
  'a teacher without a public page': await withOfficeToken(deps, account),
  'an administrator with a token of the shop': administrator,
  'an administrator without the second factor': await withOfficeToken(deps, administrator, 1),
  'an administrator': await withOfficeToken(deps, administrator),
  'a teacher who is blocked': blocked[0] ?? null,
  'an administrator who is blocked': blocked[1] ?? null,
  'a teacher whose token has expired': await expired(teacher),
  'an administrator whose token has expired': await expired(administrator),
}

describe.each(KINDS)('%s', (kind, refusals) => {
  const ask = (call: AnyCall) =>
    // Without a body, and with any path parameter: input is validated after the policy.
    app.request(
      call.method,
      addressOf(
        call,
        sampleInput(call, { id: 1 }, () => 'x'),
      ),
      {
        as: people[kind] ?? null,
      },
    )

  test('makes the calls that its policy allows, and no others', async () => {
    for (const call of [...probes, setUp]) {
      const { status, body } = await ask(call)
      const error = status < 300 ? null : (body as { error: string }).error
      expect([call.path, error]).toEqual([call.path, refusalOf(call, refusals)])
    }
  })

  test('is refused before its input is validated, by every call of the contract', async () => {
    for (const [name, call] of Object.entries(CALLS)) {
      const refusal = refusalOf(call, refusals)
      if (refusal === null) continue
      const { body } = await ask(call)
      expect([name, (body as { error: string }).error]).toEqual([name, refusal])
    }
  })
})

test('a teacher is identified by the account, whatever the request says', async () => {
  const as = people['a teacher in the office'] ?? null
  const { body } = await app.request('GET', '/api/probe-teacher?teacherId=999', { as })
  expect(body).toMatchObject({ id: as?.id, role: 'TEACHER', teacherId, factors: 2 })
})

function refusalOf({ caller, beforeSecondFactor }: AnyCall, refusals: Refusals): string | null {
  if (caller === 'anyone') return null
  // Any logged-in user can log out.
  if (caller === 'user' && beforeSecondFactor) {
    return refusals.user === 'second_factor_missing' ? null : refusals.user
  }
  return refusals[beforeSecondFactor ? 'beforeSecondFactor' : caller]
}
