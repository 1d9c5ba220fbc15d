import { array, Struct, type } from 'superstruct'
import { promisedBy } from '../../src/contract/values.ts'

// biome-ignore lint/suspicious/noExplicitAny: a struct of any shape
type AnyStruct = Struct<any, any>

const known = new WeakMap<AnyStruct, AnyStruct>()

/**
 * The struct of an answer of our own backend, which has everything that the contract promises: what
 * other backends may leave out must be there.
 */
export function promised(read: AnyStruct): AnyStruct {
  let struct = known.get(read)
  if (!struct) {
    struct = promisedIn(promisedBy(read))
    known.set(read, struct)
  }
  return struct
}

function promisedIn(struct: AnyStruct): AnyStruct {
  if (struct.type === 'array') {
    const schema = promised(struct.schema)
    return new Struct({ ...struct, schema, entries: array(schema).entries })
  }
  if (struct.type !== 'type') return struct
  const schema = Object.fromEntries(
    Object.entries<AnyStruct>(struct.schema).map(([name, field]) => [name, promised(field)]),
  )
  return new Struct({ ...struct, schema, entries: type(schema).entries })
}
