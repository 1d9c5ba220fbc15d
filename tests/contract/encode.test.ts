import fc from 'fast-check'
import { create, is, type Struct } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { ErrorBody } from '../../src/contract/errors.ts'
import { CALLS } from '../../src/contract/index.ts'
import { DINARS, dinarAmount, dinarText, encode, signedDinars } from '../../src/contract/values.ts'
import { promised } from '../support/promised.ts'

// biome-ignore lint/suspicious/noExplicitAny: a struct of any shape
type AnyStruct = Struct<any, any>

/** Every schema of the contract that contains money, by its path. */
const schemas = Object.entries(CALLS)
  .flatMap(([name, { query, body, result }]): [string, AnyStruct | undefined][] => [
    [`${name} query`, query],
    [`${name} body`, body],
    [`${name} result`, result],
  ])
  .concat([['an error', ErrorBody]])
  .flatMap(([name, struct]) => (struct && holdsMoney(struct) ? [[name, struct] as const] : []))

function fieldsOf({ type, schema }: AnyStruct): AnyStruct[] {
  if (type === 'array') return [schema]
  return type === 'object' || type === 'type' ? Object.values(schema) : []
}

function holdsMoney(struct: AnyStruct): boolean {
  return struct.type === DINARS || fieldsOf(struct).some(holdsMoney)
}

// Candidates for a field that is not money; the first one that its struct accepts is used.
const SAMPLES = [
  '2026-03-05T10:00:00Z',
  '2026-03-05',
  '2026-03',
  `anon-${'0'.repeat(32)}`,
  'a1b2c3d4e5f60718293a4b5c',
  `${'0'.repeat(18)}97`,
  '0'.repeat(32),
  'x',
  1,
  60,
  2024,
  0,
  true,
  {},
]

/** Arbitrary values of a struct, as the code behind the contract sees them. */
function valuesOf(struct: AnyStruct): fc.Arbitrary<unknown> {
  const missing = [undefined, null].filter((value) => is(value, struct))
  const there = presentValuesOf(struct).filter((value) => is(value, struct))
  return fc.oneof(there, ...missing.map((value) => fc.constant(value)))
}

function presentValuesOf(struct: AnyStruct): fc.Arbitrary<unknown> {
  const { type, schema } = struct
  switch (type) {
    case DINARS: {
      // Within the struct's own bounds; a query accepts nine digits before the decimal point.
      const powers = Array.from({ length: 12 }, (_, power) => 10 ** power - (power === 11 ? 1 : 0))
      const accepted = [0, ...powers].filter((hundredths) => is(hundredths * 10, struct))
      const most = Math.max(...accepted)
      const least = is(-10, struct) ? -most : Math.min(...accepted)
      return fc.integer({ min: least, max: most }).map((hundredths) => hundredths * 10)
    }
    case 'array':
      return fc.array(valuesOf(schema), { maxLength: 3 })
    case 'object':
    case 'type':
      return fc.record(
        Object.fromEntries(
          Object.entries<AnyStruct>(schema).map(([name, field]) => [name, valuesOf(field)]),
        ),
        // superstruct cannot print an object without a prototype, which JSON never is.
        { noNullPrototype: true },
      )
    case 'enums':
      return fc.constantFrom(...Object.values(schema as object))
    case 'literal':
      return fc.constant(schema)
    default:
      return fc.constantFrom(...SAMPLES.filter((sample) => is(sample, struct)))
  }
}

const overTheWire = (value: unknown) => JSON.parse(JSON.stringify(value))

/** The numbers of a value at the places where its struct has money. */
function amountsIn(struct: AnyStruct, value: unknown): unknown[] {
  if (value === null || value === undefined) return []
  if (struct.type === DINARS) return [value]
  if (Array.isArray(value)) return value.flatMap((item) => amountsIn(struct.schema, item))
  if (struct.type !== 'object' && struct.type !== 'type') return []
  return Object.entries<AnyStruct>(struct.schema).flatMap(([name, field]) =>
    amountsIn(field, (value as Record<string, unknown>)[name]),
  )
}

describe('money on the wire', () => {
  test('occurs in responses, inputs and refusals', () => {
    const names = schemas.map(([name]) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'getBalance result',
        'searchDocuments query',
        'searchDocuments result',
        'directPay body',
        'an error',
      ]),
    )
  })

  test.each(schemas)('%s: round-trips, and is in dinars on the wire', (name, struct) => {
    const isQuery = name.endsWith(' query')
    fc.assert(
      fc.property(valuesOf(promised(struct)), (value) => {
        const before = structuredClone(value)
        const sent = encode(struct, value)
        expect(value).toEqual(before)
        for (const amount of amountsIn(struct, sent)) {
          expect(String(amount)).toMatch(/^-?\d+(\.\d{1,2})?$/)
        }
        const received = isQuery
          ? Object.fromEntries(
              Object.entries(sent as object)
                .filter(([, each]) => each !== undefined)
                .map(([key, each]) => [key, String(each)]),
            )
          : overTheWire(sent)
        expect(create(received, struct)).toEqual(overTheWire(value))
      }),
      { numRuns: 30 },
    )
  })

  test('is parsed from dinars, and from their text in a query', () => {
    expect(create(12.5, dinarAmount())).toBe(12_500)
    expect(create(1.01, dinarAmount())).toBe(1010)
    expect(create(0.1 + 0.2, dinarAmount())).toBe(300)
    expect(create(-0.29, signedDinars())).toBe(-290)
    expect(create('7.5', dinarText())).toBe(7500)
  })

  test.each([-0.01, 10.255, 0.001, 1_000_000_000.01, 1e300, Number.NaN, '5', null, [5]])(
    'is not an amount: %j',
    (value) => expect(() => create(value, dinarAmount())).toThrow(),
  )
})
