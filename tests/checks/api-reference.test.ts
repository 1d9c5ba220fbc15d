import fc from 'fast-check'
import { is, validate } from 'superstruct'
import { describe, expect, test } from 'vitest'
import type { AnyCall } from '../../src/contract/call.ts'
import { CALLS } from '../../src/contract/index.ts'
import { encode } from '../../src/contract/values.ts'
import { openapi } from '../../src/server/api-reference/api-reference.ts'
import { describeStruct, type Schema } from '../../src/server/api-reference/describe-struct.ts'
import type { AnyStruct } from '../../src/server/api-reference/fields.ts'
import { checkInput, type Place } from '../../src/server/http/answer.ts'
import { promised } from '../support/promised.ts'
import { read } from './source.ts'

const written = JSON.parse(JSON.stringify(openapi()))

/** The document with what its references name in their places. */
function resolved(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(resolved)
  if (!('$ref' in value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]))
  }
  const named = String(value.$ref)
    .slice('#/'.length)
    .split('/')
    .reduce((part, name) => part[name], written)
  return resolved(named)
}
const reference = resolved(written) as { paths: Record<string, Record<string, Operation>> }

test('docs/api.json matches the contract; `npm run api` regenerates it', () => {
  const text = read('docs/api.json')
  expect(JSON.parse(text)).toEqual(written)
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(15_000)
})

interface Operation {
  operationId: keyof typeof CALLS
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
const operations = Object.values(reference.paths)
  .flatMap((methods) => Object.values(methods))
  .map((operation) => [operation.operationId, operation] as const)

describe('what the reference describes is accepted:', () => {
  test.each(operations)('%s', (name, { parameters, requestBody }) => {
    const call = CALLS[name] as AnyCall
    const of = (place: string): Schema => {
      const found = parameters.filter((each) => each.in === place)
      return {
        type: 'object',
        properties: Object.fromEntries(found.map((each) => [each.name, each.schema])),
        required: found.flatMap((each) => (each.required ? [each.name] : [])),
        // OpenAPI has no place for a rule over the parameters together.
        ...(place === 'query' && call.query && eitherOf(describeStruct(call.query))),
      }
    }
    // A path and a query are text, and an absent value of a query is left out.
    const asText = (fields: unknown) =>
      Object.fromEntries(
        Object.entries(fields as object).flatMap(([name, value]) =>
          value === null ? [] : [[name, String(value)]],
        ),
      )
    const accepted = (place: Place, schema: Schema, sent = (value: unknown) => value) => {
      const struct = call[place]
      if (!struct) return
      fc.assert(
        fc.property(described(schema), (value) => {
          const seen = (error: unknown) => new Error(JSON.stringify(error))
          try {
            checkInput(sent(value), struct, place)
          } catch (error) {
            throw seen((error as { fields?: unknown }).fields)
          }
        }),
        { numRuns: 15 },
      )
    }
    accepted('params', of('path'), asText)
    accepted('query', of('query'), asText)
    const body = requestBody?.content['application/json']?.schema
    if (body) accepted('body', body)
  })
})

test('what is accepted is described: each value as it is understood', () => {
  for (const [name, call] of Object.entries<AnyCall>(CALLS)) {
    for (const place of ['params', 'query', 'body', 'result'] as const) {
      const struct = call[place]
      if (struct) checkFields(`${name} ${place}`, place === 'result' ? promised(struct) : struct)
    }
  }
})

const TRIED = [
  ...[
    '',
    'a',
    'Some text',
    'نصّ',
    ' A@B.tn ',
    '20 100 001',
    '٢٠١٠٠٠٠١',
    'TN59 0800 6023 0110 0045 6789',
  ],
  ...['1234567r', 'mf 765432x/a/m/000', '2026', '2026-01', '2026-01-31', '2026-01-31T12:00:00Z'],
  ...['#1D4ED8', 'https://karras.test/x', '12', '7,5', '012 345', 'command-line', 'room_1_2'],
  ...[0, 1, 1.5, -1, 10, 2000, true, null, undefined, [], [1], ['a'], {}],
]

const checked = new Set<AnyStruct>()

function checkFields(path: string, struct: AnyStruct): void {
  // Answers without content, and bytes, have no schema.
  if (checked.has(struct) || ['nothing', 'instance'].includes(struct.type)) return
  checked.add(struct)
  const schema = JSON.parse(JSON.stringify(describeStruct(struct)))
  for (const tried of TRIED) {
    const [error, understood] = validate(tried, struct, { coerce: true })
    const value = encode(struct, understood)
    if (error || value === undefined || !is(understood, struct)) continue
    expect(matches(schema, value), `${path}: ${JSON.stringify([value, schema])}`).toBe(true)
  }
  if (struct.type === 'array') checkFields(`${path}[]`, struct.schema)
  if (struct.type !== 'object' && struct.type !== 'type') return
  for (const [name, field] of Object.entries<AnyStruct>(struct.schema)) {
    checkFields(`${path}.${name}`, field)
  }
}

const eitherOf = ({ anyOf, oneOf }: Schema): Schema => ({
  ...(anyOf !== undefined && { anyOf }),
  ...(oneOf !== undefined && { oneOf }),
})

/** Values that a schema describes. */
function described(schema: Schema): fc.Arbitrary<unknown> {
  const { anyOf, enum: values, examples, format, pattern, properties, required = [] } = schema
  const [type, none] = [schema.type].flat() as [string?, string?]
  if (none) return fc.option(described({ ...schema, type }))
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (type === 'object' && properties) {
    const fields = properties as Record<string, Schema>
    const arbitraries = Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, described(field)]),
    )
    const alone = schema.oneOf as { required: string[] }[] | undefined
    const either = alone ?? (anyOf as typeof alone) ?? [{ required: [] }]
    const records = either.map((also) => {
      const others = alone?.filter((other) => other !== also).flatMap((other) => other.required)
      const possible = Object.entries(arbitraries).filter(([field]) => !others?.includes(field))
      return fc
        .record(Object.fromEntries(possible), {
          requiredKeys: [...(required as string[]), ...also.required],
        })
        .filter((fields) => also.required.every((field) => fields[field] !== null))
    })
    return fc.oneof(...records)
  }
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(described))
  if (type === 'array') {
    const [minLength, most] = [Number(schema.minItems ?? 0), Number(schema.maxItems ?? 3)]
    const selector = (value: unknown) => JSON.stringify(value)
    return fc.uniqueArray(described(schema.items as Schema), {
      minLength,
      maxLength: Math.min(most, 3),
      selector,
    })
  }
  if (type === 'boolean') return fc.boolean()
  if (type === 'object') return fc.constant({})
  if (type === 'null') return fc.constant(null)
  const [min, max] = [Number(schema.minimum ?? -1e6), Number(schema.maximum ?? 1e6)]
  if (type === 'integer') return fc.integer({ min, max })
  if (type === 'number') {
    const isNot = (schema.not as { const: number } | undefined)?.const
    return fc
      .integer({ min: min * 100, max: Math.min(max, 1e6) * 100 })
      .map((n) => n / 100)
      .filter((n) => n !== isNot)
  }
  if (format === 'date-time' || format === 'date') {
    const [min, max] = [new Date('2000-01-01'), new Date('2099-12-31T23:59:59Z')]
    return fc
      .date({ min, max, noInvalidDate: true })
      .map((date) => (format === 'date' ? date.toISOString().slice(0, 10) : date.toISOString()))
  }
  if (pattern) {
    const least = Number(schema.minLength ?? 0)
    return fc.stringMatching(new RegExp(pattern as string)).filter((text) => text.length >= least)
  }
  if (Array.isArray(examples)) return fc.constantFrom(...examples)
  const { minLength = 0, maxLength = 20 } = schema as { minLength?: number; maxLength?: number }
  const unit = fc.constantFrom(...'abcdefgABCDEFG0123456789éèأبتثج')
  return fc.string({ unit, minLength, maxLength: Math.min(maxLength, minLength + 20) })
}

/** Whether a schema describes a value; of a form without a pattern, only that it is a text. */
function matches(schema: Schema, value: unknown): boolean {
  const { anyOf, enum: values, pattern, minLength = 0, maxLength = Infinity } = schema
  if ('const' in schema) return value === schema.const
  if (Array.isArray(values)) return values.includes(value)
  if (Array.isArray(anyOf) && !schema.type) return anyOf.some((each) => matches(each, value))
  if (value === null) return [schema.type].flat().includes('null')
  if (typeof value === 'string') {
    if (![schema.type].flat().includes('string')) return false
    const { length } = [...value]
    if (length < Number(minLength) || length > Number(maxLength)) return false
    return !pattern || new RegExp(pattern as string).test(value)
  }
  if (Array.isArray(value)) {
    const items = schema.items as Schema | undefined
    return items !== undefined && value.every((each) => matches(items, each))
  }
  const kind = typeof value === 'number' ? ['number', 'integer'] : [typeof value]
  if (![schema.type].flat().some((each) => kind.includes(each as string))) return false
  const { minimum = -Infinity, maximum = Infinity } = schema
  return typeof value !== 'number' || (value >= Number(minimum) && value <= Number(maximum))
}
