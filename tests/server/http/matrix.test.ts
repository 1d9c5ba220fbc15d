import { SignJWT } from 'jose'
import { is } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { ALL_ERRORS } from '../../../src/contract/all-errors.ts'
import type { AnyCall, Caller } from '../../../src/contract/call.ts'
import { ErrorBody, type ErrorCode } from '../../../src/contract/errors.ts'
import { CALLS } from '../../../src/contract/index.ts'
import { REASONS } from '../../../src/contract/values.ts'
import { dinars } from '../../../src/rules/money.ts'
import { UPLOAD_PART_MAX_BYTES } from '../../../src/rules/uploads.ts'
import { signToken } from '../../../src/server/http/identity.ts'
import { ROUTES } from '../../../src/server/routes.ts'
import type { Answer, RawRequest } from '../../support/app.ts'
import { sharedApp } from '../../support/test.ts'
import {
  addressOf,
  admittedCallers,
  fieldsOf,
  type Known,
  knownFields,
  PARTS,
  type Sample,
  sampleInput,
} from './samples.ts'

// Tries every call of the contract, including future resources, as everybody who may not make it.
const calls = Object.entries(CALLS)

const OFFICE_CALLERS: ReadonlySet<Caller> = new Set(['staff', 'teacher', 'admin'])

const app = await sharedApp()
const me = await app.aCustomer({ balance: dinars(100) })
const other = await app.aCustomer()
const administrator = await app.anOfficeAdministrator()
const admitted = await admittedCallers(app, { me, administrator })
const known = await knownFields(app, { me, other, administrator })
const badTokens = await makeBadTokens()

describe('the routes', () => {
  test('handle every call of the contract exactly once', () => {
    const nameOf = ({ method, path }: AnyCall) => `${method} ${path}`
    expect(ROUTES.map(({ call }) => nameOf(call)).sort()).toEqual(
      calls.map(([, call]) => nameOf(call)).sort(),
    )
  })
})

describe.each(calls)('%s', (_, call) => {
  test('without a token', async () => {
    const answer = await send(call)
    if (call.caller === 'anyone') expectNoServerError(answer)
    else expectError(answer, 'authentication_required')
  })

  test('with invalid tokens', async () => {
    for (const [name, token] of badTokens) {
      const answer = await send(call, { headers: { authorization: token } })
      if (call.caller === 'anyone') expectNoServerError(answer)
      else expectError(answer, 'invalid_token', name)
    }
  })

  test("with another user's id", async () => {
    const naming = PARTS.filter((part) => fieldsOf(call, part).includes('userId'))
    // Office calls do not take the caller's id; policies.test.ts tests which tokens may make them.
    if (naming.length === 0 || OFFICE_CALLERS.has(call.caller)) return
    const theirs: Known = { ...known, userId: other.id, sessionId: undefined }
    for (const caller of [me, await app.anAdministrator(), await app.aTeacherAccount()]) {
      const answer = await send(call, { as: caller, key: 'k' }, sampleInput(call, theirs))
      expect(answer.status).toBe(403)
      expectShape(answer)
    }
  })

  test('with invalid path parameters', async () => {
    const garbage = ['abc', '0', '-1', '1.5', '1e3', '99999999999', '%00', '%D8%AF', '%E0%A4%A']
    for (const field of fieldsOf(call, 'params')) {
      for (const value of [...garbage, 'x'.repeat(300)]) {
        // A reference may consist of digits alone, a code of letters and digits.
        if (field === 'paymentRef' && value === '99999999999') continue
        if (/^(class|subject)Code$/.test(field) && /^[a-z\d-]{1,200}$/.test(value)) continue
        const input = sampleInput(call, known)
        const params = { ...input.params, [field]: value }
        const answer = await send(call, { as: admitted(call), key: 'k' }, { ...input, params })
        expectError(answer, 'invalid_input', `${field}=${value}`)
      }
    }
  })

  test('with invalid query parameters', async () => {
    for (const field of fieldsOf(call, 'query')) {
      for (const value of ['%00', `1&${field}=2`, `1&${field}=`]) {
        const input = sampleInput(call, known)
        const query = { ...input.query, [field]: value }
        const answer = await send(call, { as: admitted(call), key: 'k' }, { ...input, query })
        // A browser makes this request: it is redirected to a page.
        if (call.answers === 'redirect') expect(answer.status, `${field}=${value}`).toBe(302)
        else expectError(answer, 'invalid_input', `${field}=${value}`)
      }
    }
  })

  test('with an invalid body', async () => {
    if (!call.body || call.takes === 'bytes') return
    const input = sampleInput(call, known)
    const bodies: [unknown, ErrorCode][] = [
      ['', 'invalid_input'],
      ['null', 'invalid_input'],
      ['1', 'invalid_input'],
      ['"x"', 'invalid_input'],
      ['[]', 'invalid_input'],
      ['{}', 'invalid_input'],
      ['{', 'malformed_json'],
      ['\0', 'malformed_json'],
      [JSON.stringify(input.body).replace('{', '{"__proto__":{"x":1},'), 'malformed_json'],
      ['{"constructor":{"prototype":{}}}', 'malformed_json'],
      [`{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'invalid_input'],
      [JSON.stringify({ x: 'x'.repeat(call.takesAtMost ?? 70_000) }), 'payload_too_large'],
      ...fieldsOf(call, 'body').flatMap((field): [unknown, ErrorCode][] =>
        [{ toString: 1, valueOf: 1 }, 'nul\0', { a: [[[]]] }].map((value) => [
          { ...(input.body as object), [field]: value },
          'invalid_input',
        ]),
      ),
    ]
    for (const [body, code] of bodies) {
      const answer = await send(
        call,
        { as: admitted(call), key: 'k', body },
        { ...input, body: undefined },
      )
      expectError(answer, code, String(JSON.stringify(body)).slice(0, 80))
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      const headers = { 'content-type': type }
      const answer = await send(call, { as: admitted(call), key: 'k', headers, body: 'a=b' }, input)
      expectError(answer, 'unsupported_media_type', type)
    }
  })

  test('with a body that is not bytes, or too large', async () => {
    if (call.takes !== 'bytes') return
    for (const type of ['application/json', 'text/plain', 'nonsense']) {
      const answer = await send(call, {
        as: admitted(call),
        headers: { 'content-type': type },
      })
      expectError(answer, 'unsupported_media_type', type)
    }
    const body = 'x'.repeat(UPLOAD_PART_MAX_BYTES + 1)
    expectError(await send(call, { as: admitted(call), body }), 'payload_too_large')
  })

  test('without an Idempotency-Key, where one is required', async () => {
    if (!call.idempotent) return
    expectError(await send(call, { as: admitted(call) }), 'idempotency_key_required')
    expectError(await send(call, { as: admitted(call), key: 'k'.repeat(201) }), 'invalid_input')
  })

  test('with another method', async () => {
    const address = addressOf(call, sampleInput(call, known))
    const answer = await app.request('PATCH', address, { as: admitted(call) })
    expectError(answer, 'method_not_allowed')
    expect(answer.headers.get('allow')?.split(', ')).toContain(call.method)
  })
})

const BYTES = { 'content-type': 'application/octet-stream' }

function send(
  call: AnyCall,
  raw: RawRequest = {},
  input: Sample = sampleInput(call, known),
): Promise<Answer> {
  const address = addressOf(call, input)
  const headers = { ...(call.takes === 'bytes' && BYTES), ...raw.headers }
  return app.request(call.method, address, { body: input.body, ...raw, headers })
}

function expectError(answer: Answer, code: ErrorCode, about = ''): void {
  expect({ about, status: answer.status, error: (answer.body as ErrorBody)?.error }).toEqual({
    about,
    status: ALL_ERRORS[code].status,
    error: code,
  })
  expectShape(answer)
}

function expectShape({ status, headers, body }: Answer): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  if (!is(body, ErrorBody)) throw new Error(`not an error body: ${JSON.stringify(body)}`)
  expect(body.status).toBe(status)
  expect(Object.keys(body).sort().join()).toMatch(/^error,(fields,)?message,status(,titles)?$/)
  expect(body.fields === undefined || status === 400).toBe(true)
  for (const reason of Object.values(body.fields ?? {})) expect(REASONS).toContain(reason)
}

function expectNoServerError(answer: Answer): void {
  expect(answer.status).toBeLessThan(500)
  if (answer.status >= 400) expectShape(answer)
}

async function makeBadTokens(): Promise<[string, string][]> {
  const { secret } = app.deps
  const user = { id: me.id, role: 'PARENT', generation: 0 }
  const [head = '', payload = '', signature = ''] = me.token.split('.')
  const claims = { userId: me.id, authorities: ['ADMIN'], generation: 0 }
  const signed = (alg: string, key: Uint8Array) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg })
      .setIssuer('karras')
      .setJti('j')
      .setExpirationTime('1h')
      .sign(key)
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const elevated = Buffer.from(JSON.stringify(claims)).toString('base64url')
  const longKey = new Uint8Array(64).fill(7)
  const tokens: [string, string][] = [
    ['expired', await signToken(secret, user, Date.now() - 12 * 3600 * 1000 - 1000)],
    ['another generation', await signToken(secret, { ...user, generation: 1 }, Date.now())],
    ['unknown user', await signToken(secret, { ...user, id: 999_999 }, Date.now())],
    ['another secret', await signed('HS256', longKey)],
    ['another algorithm', await signed('HS512', longKey)],
    ['no algorithm', `${none}.${elevated}.`],
    ['changed payload', `${head}.${elevated}.${signature}`],
    ['no signature', `${head}.${payload}.`],
    ['not a token', 'abc'],
    ['too long', 'x'.repeat(10_000)],
  ]
  return [
    ...tokens.map(([name, token]): [string, string] => [name, `Bearer ${token}`]),
    ['another scheme', `Basic ${me.token}`],
    ['no scheme', me.token],
  ]
}
