import type { Struct } from 'superstruct'
import { inDinars } from '../rules/money.ts'
import { DINARS } from './values.ts'

// biome-ignore lint/suspicious/noExplicitAny: a struct of any shape
type AnyStruct = Struct<any, any>
type Encoder = (value: unknown) => unknown

/** The cached encoder of each struct; null if the struct contains no money. */
const encoders = new WeakMap<AnyStruct, Encoder | null>()

/**
 * Encodes a value for the API: money in dinars, everything else unchanged. Reading it with the
 * struct (`create`, `mask`) returns the original value. Money is found only in objects and arrays;
 * without a struct nothing is money.
 */
export function encode<T>(struct: AnyStruct | undefined, value: T): T {
  const encoder = struct && encoderOf(struct)
  return encoder ? (encoder(value) as T) : value
}

function encoderOf(struct: AnyStruct): Encoder | null {
  let encoder = encoders.get(struct)
  if (encoder === undefined) {
    encoder = makeEncoder(struct)
    encoders.set(struct, encoder)
  }
  return encoder
}

// null and undefined are unchanged.
function makeEncoder({ type, schema }: AnyStruct): Encoder | null {
  if (type === DINARS) return (value) => (typeof value === 'number' ? inDinars(value) : value)
  if (type === 'array') {
    const encodeItem = encoderOf(schema)
    return encodeItem && ((value) => (Array.isArray(value) ? value.map(encodeItem) : value))
  }
  if (type !== 'object' && type !== 'type') return null
  const fields = Object.entries<AnyStruct>(schema).flatMap(([name, field]) => {
    const encodeField = encoderOf(field)
    return encodeField ? [[name, encodeField] as const] : []
  })
  if (fields.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const encoded: Record<string, unknown> = { ...value }
    for (const [name, encodeField] of fields) {
      if (name in encoded) encoded[name] = encodeField(encoded[name])
    }
    return encoded
  }
}
