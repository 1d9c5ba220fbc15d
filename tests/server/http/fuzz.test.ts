import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnyCall } from '../../../src/contract/call.ts'
import { CALLS } from '../../../src/contract/index.ts'
import { dinars } from '../../../src/rules/money.ts'
import { amount } from '../../support/amount.ts'
import { sharedApp } from '../../support/test.ts'
import { addressOf, admittedCallers, fieldsOf, knownFields, sampleInput } from './samples.ts'

const RUNS = amount('FUZZ_RUNS', { usual: 10, long: 200 })

const app = await sharedApp()
const me = await app.aCustomer({ balance: dinars(1000) })
const other = await app.aCustomer()
const administrator = await app.anOfficeAdministrator()
const admitted = await admittedCallers(app, { me, administrator })
const known = await knownFields(app, { me, other, administrator })

const malicious = fc.constantFrom(
  '',
  '0',
  '-0',
  'NaN',
  '1e400',
  '2147483648',
  '9223372036854775808',
  "' OR 1=1 --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '\ud800',
  '\u0000',
  '\u202e\u0645\u0631\u062d\u0628\u0627',
  'İ@K.com',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
)
const anyText = fc.oneof(malicious, fc.string({ unit: 'binary', maxLength: 40 }))
const anyNumber = fc.oneof(fc.integer(), fc.double(), fc.integer({ min: 1, max: 5 }))
const anyJson = fc.oneof(anyText, anyNumber, fc.jsonValue({ maxDepth: 3 }))
const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed())

/** Arbitrary values in fields of a call, valid ones in the rest. */
function changes(fields: string[], value: fc.Arbitrary<unknown>) {
  if (fields.length === 0) return fc.constant({})
  return fc.dictionary(fc.oneof(fc.constantFrom(...fields), fc.string({ maxLength: 5 })), value, {
    maxKeys: 3,
    noNullPrototype: true,
  })
}

// They end the tokens of the callers, so they come last.
const ENDING = ['logOut', 'endOtherLogIns', 'endOtherSessions', 'changeOfficePassword']
const calls = Object.entries(CALLS).sort(
  ([a], [b]) => Number(ENDING.includes(a)) - Number(ENDING.includes(b)),
)

describe.each(calls)('%s', (_, call) => {
  test(`answers any input, below 500`, async () => {
    await fc.assert(
      fc.asyncProperty(
        changes(fieldsOf(call, 'params'), anyText),
        changes(fieldsOf(call, 'query'), fc.oneof(anyText, anyNumber)),
        changes(fieldsOf(call, 'body'), anyJson),
        fc.boolean(),
        async (params, query, body, isMe) => {
          const answer = await send(call, { params, query, body }, isMe)
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
        },
      ),
      { numRuns: RUNS },
    )
  })
})

test('survives anything but HTTP', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
      const text = await sendBytes(Buffer.concat([bytes, Buffer.from('\r\n\r\n')]))
      expect(text).not.toMatch(/^HTTP\/1.1 5|\n {4}at /)
    }),
    { numRuns: RUNS },
  )
  expect((await app.request('GET', '/api/category')).status).toBe(200)
})

type Changes = Record<'params' | 'query' | 'body', Record<string, unknown>>

function send(call: AnyCall, changed: Changes, isMe: boolean) {
  const input = sampleInput(call, known)
  // An empty path parameter would be another path.
  const params = mapValues({ ...input.params, ...changed.params }, (value) => encode(value) || 'x')
  const query = Object.entries({ ...input.query, ...changed.query })
  const address = addressOf(call, {
    params,
    query: Object.fromEntries(query.map(([name, value]) => [encode(name), encode(value)])),
  })
  return app.request(call.method, address, {
    as: isMe ? admitted(call) : null,
    key: crypto.randomUUID(),
    body: call.body ? { ...(input.body as object), ...changed.body } : undefined,
  })
}

function mapValues(object: object, change: (value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

function sendBytes(bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    // A request that Node waits for the end of is abandoned.
    socket.setTimeout(200, () => socket.destroy())
    socket.on('close', () => resolve(text))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error),
    )
    socket.end(bytes)
  })
}
