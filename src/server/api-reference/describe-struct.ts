import { type Struct, validate } from 'superstruct'
import { DINARS, promisedBy } from '../../contract/values.ts'
import { KIND_CODE } from '../../rules/papers.ts'
import { RIB_EXAMPLE } from '../../rules/rib.ts'
import { TAX_NUMBER_EXAMPLE } from '../../rules/tax-number.ts'

/** A JSON Schema, as in OpenAPI 3.1. */
export type Schema = { [key: string]: unknown }

const described = new WeakMap<Struct<unknown, unknown>, Schema>()

/** The JSON Schema of a contract's struct; its bounds are found by trying values. */
export function describeStruct(struct: Struct<unknown, unknown>): Schema {
  let schema = described.get(struct)
  if (!schema) {
    schema = describe(promisedBy(struct))
    described.set(struct, schema)
  }
  return schema
}

function describe(struct: Struct<unknown, unknown>): Schema {
  const inner = describeType(struct)
  const isNullable = accepts(struct, null) && struct.type !== 'nothing'
  if (!isNullable) return inner
  const isSimple = typeof inner.type === 'string' && !inner.enum && !inner.properties
  if (isSimple) return { ...inner, type: [inner.type, 'null'] }
  const either = inner.type === undefined ? (inner.anyOf as Schema[] | undefined) : undefined
  return { anyOf: [...(either ?? [inner]), { type: 'null' }] }
}

export function isOptional(struct: Struct<unknown, unknown>): boolean {
  return accepts(promisedBy(struct), undefined)
}

function describeType(struct: Struct<unknown, unknown>): Schema {
  const { type, schema } = struct
  switch (type) {
    case 'object':
    case 'type':
      return describeObject(struct)
    case 'array':
      return describeArray(struct, describeStruct(schema as Struct<unknown, unknown>))
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
      return describeText(struct)
    default:
      throw new Error(`describeStruct() knows no struct of type ${type}; add it.`)
  }
}

function describeObject(struct: Struct<unknown, unknown>): Schema {
  const entries = Object.entries(struct.schema as Record<string, Struct<unknown, unknown>>)
  const required = entries.filter(([, field]) => !isOptional(field)).map(([name]) => name)
  const properties = Object.fromEntries(
    entries.map(([name, field]) => [name, describeStruct(field)] as const),
  )
  const least: Schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  if (accepts(struct, exampleOf(least))) return least
  // A rule over the fields together, such as one that needs one of two.
  const either = Object.keys(properties)
    .filter((name) => !required.includes(name))
    .map((name) => ({ required: [name], properties: { [name]: { not: { type: 'null' } } } }))
    .filter((also) => accepts(struct, exampleOf({ ...least, anyOf: [also] })))
  if (either.length === 0) return least
  const both = { required: either.flatMap((also) => also.required) }
  const isOneAlone = !accepts(struct, exampleOf({ ...least, anyOf: [both] }))
  return { ...least, [isOneAlone ? 'oneOf' : 'anyOf']: either }
}

/** The most items that are tried; objects take longer. */
const LONGEST_LIST = 2048
const LONGEST_LIST_OF_OBJECTS = 256

function describeArray(struct: Struct<unknown, unknown>, items: Schema): Schema {
  // Lists of ids have each of them once.
  const ofLength = (length: number) =>
    accepts(
      struct,
      Array.from({ length }, (_, at) => (items.type === 'integer' ? at + 1 : exampleOf(items))),
    )
  const least = [0, 1].find(ofLength) ?? 2
  const longest = items.type === 'object' ? LONGEST_LIST_OF_OBJECTS : LONGEST_LIST
  const isBounded = ofLength(least) && !ofLength(longest)
  return {
    type: 'array',
    items,
    ...(least > 0 && { minItems: least }),
    ...(isBounded && { maxItems: lastFrom(least, longest, ofLength) }),
  }
}

/** The least that a schema accepts. */
function exampleOf(schema: Schema): unknown {
  const { anyOf, oneOf, examples, properties, required = [], minimum, minLength, minItems } = schema
  if ('const' in schema) return schema.const
  const [first] = (schema.enum ?? examples ?? []) as unknown[]
  if (first !== undefined) return first
  const type = [schema.type].flat()[0]
  if (type === 'object' && properties) {
    const [also] = (anyOf ?? oneOf ?? []) as { required: string[] }[]
    const names = [...(required as string[]), ...(also?.required ?? [])]
    const fields = properties as Record<string, Schema>
    return Object.fromEntries(names.map((name) => [name, exampleOf(fields[name] ?? {})]))
  }
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0])
  if (type === 'array') return minItems ? [exampleOf(schema.items as Schema)] : []
  if (type === 'string') return 'a'.repeat(Number(minLength ?? 1))
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'object') return {}
  return Math.max(Number(minimum ?? 1), 1)
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
    // An adjustment of nothing is none.
    ...(accepts(struct, -accepted) && !accepts(struct, 0) && { not: { const: 0 } }),
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
 * The forms of texts that are not just any text. A struct has the first form of which it accepts
 * all examples; where no pattern or format says all, the examples show it.
 */
const FORMS: readonly (Schema & { examples: readonly [string, ...string[]] })[] = [
  { description: 'Without Arabic letters.', examples: ['Salma Zouari', 'École 2'] },
  {
    description: 'The code of a kind of paper.',
    pattern: KIND_CODE.source,
    examples: ['bac_main', 'c'],
  },
  {
    description: 'The reference of a payment.',
    pattern: '^[0-9A-Za-z_-]{8,64}$',
    examples: ['0123456789abcdef01234567', 'payment-reference_of-a-gateway'],
  },
  {
    description: 'Bytes in base64.',
    pattern: '^[A-Za-z\\d+/]+={0,2}$',
    examples: ['iVBORw0KGgo='],
  },
  {
    description: 'A code that lowers prices, in any case.',
    pattern: '^[A-Za-z\\d-]{3,20}$',
    examples: ['RENTREE-26', 'abc'],
  },
  { description: 'A code of six digits, as it was sent.', examples: ['012345'] },
  {
    description: 'The id of a user, or `command-line`.',
    pattern: '^([1-9]\\d{0,8}|command-line)$',
    examples: ['12', 'command-line'],
  },
  {
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
    examples: ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.250Z'],
  },
  { format: 'email', examples: ['parent@karras.test'] },
  {
    description: 'A Tunisian phone number: 8 digits, +216 may stand before.',
    examples: ['20100001', '+216 20 100 001'],
  },
  {
    description: 'The session of an anonymous visitor.',
    pattern: '^anon-[A-Za-z0-9-]{16,64}$',
    examples: [`anon-${'0'.repeat(32)}`],
  },
  {
    description: 'A conversation: room_<smaller user id>_<larger user id>.',
    examples: ['room_1_2'],
  },
  {
    format: 'uuid',
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    examples: ['0a1b2c3d-0000-4000-8000-000000000000'],
  },
  { format: 'date', examples: ['2026-01-31', '1999-12-31'] },
  { format: 'date', description: 'From 2000 on.', examples: ['2026-01-31'] },
  {
    description: 'A year, or a month of it.',
    pattern: '^20\\d\\d(-(0[1-9]|1[0-2]))?$',
    examples: ['2026', '2026-01'],
  },
  { description: 'A month.', pattern: '^20\\d\\d-(0[1-9]|1[0-2])$', examples: ['2026-01'] },
  { description: 'A percentage.', examples: ['19', '7.5', '7 %'] },
  { description: 'Dinars (TND).', examples: ['1.00', '0.6'] },
  { description: 'A year.', pattern: '^20\\d\\d$', examples: ['2026'] },
  { description: 'A colour.', pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#1d4ed8'] },
  {
    format: 'uri',
    description: 'Of another site, with https.',
    examples: ['https://karras.example/about'],
  },
  { description: 'A bank account number (RIB).', examples: [RIB_EXAMPLE] },
  {
    description: 'A tax number, in full or only identifier and key.',
    examples: [TAX_NUMBER_EXAMPLE, TAX_NUMBER_EXAMPLE.slice(0, 8)],
  },
  {
    description: 'The identifier in the register of companies.',
    pattern: '^\\d{7}[A-Z]$',
    examples: [TAX_NUMBER_EXAMPLE.slice(0, 8)],
  },
  {
    description: 'The name that `uploadLogo` answered.',
    examples: ['0123456789abcdef-120x40.svg'],
  },
  {
    description: 'The id of a mark, made up by its client.',
    pattern: '^[0-9a-f]{32}$',
    examples: ['0123456789abcdef'.repeat(2)],
  },
  {
    description: 'A teacher by id, or a class and a subject by theirs.',
    pattern: '^(t\\d{1,9}|c\\d{1,9}-\\d{1,9})$',
    examples: ['t12', 'c3-5'],
  },
  { description: 'A part of what the shop says.', examples: ['facts contact', 'page about'] },
]

function describeText(struct: Struct<unknown, unknown>): Schema {
  const ofLength = (length: number) => accepts(struct, 'a'.repeat(length))
  const shortest = Array.from({ length: 64 }, (_, index) => index + 1).find(ofLength)
  if (shortest === undefined) return orEmpty(struct, { type: 'string', ...formOf(struct) })
  const longest = ofLength(LONGEST_TEXT) ? null : lastFrom(shortest, LONGEST_TEXT, ofLength)
  const least = shortest === 1 && accepts(struct, '') ? 0 : shortest
  return orEmpty(struct, {
    type: 'string',
    ...(least > 0 && { minLength: least }),
    ...(longest !== null && { maxLength: longest }),
    ...(!accepts(struct, 'ع'.repeat(shortest)) && formOf(struct)),
  })
}

/** A text of a form that may be empty as well: both, since either alone would be wrong. */
function orEmpty(struct: Struct<unknown, unknown>, filled: Schema): Schema {
  const isMissing = accepts(struct, '') && (filled.minLength ?? filled.examples) !== undefined
  return isMissing ? { anyOf: [{ const: '' }, filled] } : filled
}

function formOf(struct: Struct<unknown, unknown>): Schema {
  const form = FORMS.find(({ examples }) => examples.every((example) => accepts(struct, example)))
  if (!form) throw new Error('describeStruct() knows no text that a struct accepts: add its form.')
  return form
}

function accepts(struct: Struct<unknown, unknown>, value: unknown): boolean {
  const [error] = validate(value, struct, { coerce: true })
  return error === undefined
}
