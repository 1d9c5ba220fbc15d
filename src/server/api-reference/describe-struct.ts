import { type Struct, validate } from 'superstruct'
import { DINARS } from '../../contract/values.ts'

/** A JSON Schema, as in OpenAPI 3.1. */
export type Schema = { [key: string]: unknown }

/** The JSON Schema of a contract's struct; its bounds are found by trying values. */
export function describeStruct(struct: Struct<unknown, unknown>): Schema {
  const inner = describeType(struct)
  const isNullable = accepts(struct, null) && struct.type !== 'nothing'
  if (!isNullable) return inner
  return typeof inner.type === 'string' && !inner.enum
    ? { ...inner, type: [inner.type, 'null'] }
    : { anyOf: [inner, { type: 'null' }] }
}

export function isOptional(struct: Struct<unknown, unknown>): boolean {
  return accepts(struct, undefined)
}

function describeType(struct: Struct<unknown, unknown>): Schema {
  const { type, schema } = struct
  switch (type) {
    case 'object':
    case 'type':
      return describeObject(schema as Record<string, Struct<unknown, unknown>>)
    case 'array':
      return { type: 'array', items: describeStruct(schema as Struct<unknown, unknown>) }
    // Recursive structs, such as a written text with blocks in blocks.
    case 'lazy':
    case 'record':
      return { type: 'object', additionalProperties: true }
    case 'enums':
      return describeEnum(Object.values(schema as object))
    case 'literal':
      return { const: schema }
    case 'boolean':
      return { type }
    case DINARS:
    case 'integer':
    case 'number':
      return describeNumber(struct)
    case 'string':
      return { type, ...describeText(struct) }
    default:
      throw new Error(`describeStruct() knows no struct of type ${type}; add it.`)
  }
}

function describeObject(fields: Record<string, Struct<unknown, unknown>>): Schema {
  const entries = Object.entries(fields)
  const required = entries.filter(([, field]) => !isOptional(field)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, describeStruct(field)])),
    ...(required.length > 0 && { required }),
  }
}

function describeEnum(values: readonly unknown[]): Schema {
  return { type: typeof values[0], enum: values }
}

/** Of which each struct of a number accepts one. */
const NUMBERS = [100, 10, 5, 1, 2000]
const LARGEST = 2 ** 40

function describeNumber(struct: Struct<unknown, unknown>): Schema {
  const accepted = NUMBERS.find((value) => accepts(struct, value))
  if (accepted === undefined) throw new Error('describeStruct() needs a number that is accepted')
  const kind =
    struct.type === DINARS
      ? { type: 'number', multipleOf: 0.01, description: 'Dinars (TND).' }
      : { type: accepts(struct, accepted + 0.5) ? 'number' : 'integer' }
  return {
    ...kind,
    ...(!accepts(struct, -LARGEST) && {
      // Not `-0`.
      minimum: 0 - lastFrom(-accepted, LARGEST, (value) => accepts(struct, -value)),
    }),
    ...(!accepts(struct, LARGEST) && {
      maximum: lastFrom(accepted, LARGEST, (value) => accepts(struct, value)),
    }),
  }
}

/**
 * The last number for which `holds` is true; it must hold for `from` and not for `to`, and change
 * only once.
 */
function lastFrom(from: number, to: number, holds: (value: number) => boolean): number {
  let [last, beyond] = [from, to]
  while (beyond - last > 1) {
    const middle = Math.floor((last + beyond) / 2)
    if (holds(middle)) last = middle
    else beyond = middle
  }
  return last
}

// A longer text would make the body as a whole too large.
const LONGEST_TEXT = 64 * 1024

/**
 * Sample texts and the schemas that they reveal: a struct of that form accepts the sample and no
 * other text.
 */
const FORMS: readonly (readonly [string, Schema])[] = [
  ['2026-01-31T12:00:00Z', { format: 'date-time' }],
  ['parent@karras.test', { format: 'email' }],
  ['20100001', { description: 'A Tunisian phone number: 8 digits, +216 may stand before.' }],
  [`anon-${'0'.repeat(32)}`, { description: 'The session of an anonymous visitor: anon-…' }],
  ['room_1_2', { description: 'A conversation: room_<smaller user id>_<larger user id>.' }],
]

function describeText(struct: Struct<unknown, unknown>): Schema {
  const ofLength = (length: number) => accepts(struct, 'a'.repeat(length))
  const shortest = Array.from({ length: 65 }, (_, length) => length).find(ofLength)
  if (shortest === undefined) return FORMS.find(([sample]) => accepts(struct, sample))?.[1] ?? {}
  const longest = ofLength(LONGEST_TEXT) ? null : lastFrom(shortest, LONGEST_TEXT, ofLength)
  return {
    ...(shortest > 0 && { minLength: shortest }),
    ...(longest !== null && { maxLength: longest }),
  }
}

function accepts(struct: Struct<unknown, unknown>, value: unknown): boolean {
  const [error] = validate(value, struct, { coerce: true })
  return error === undefined
}
