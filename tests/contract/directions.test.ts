import { create, type Struct } from 'superstruct'
import { expect, test } from 'vitest'
import { CALLS } from '../../src/contract/index.ts'

// An override of direction shows `fdp.exe` as `exe.pdf`.
const TURNED = 'ab\u202ecd'

/** Passwords and codes, of which nothing is stored as it was typed; the role is a fixed word. */
const AS_TYPED = /password$|Password$|\.code$|^register\.role/

function* keptOverrides(struct: Struct | undefined, path: string): Generator<string> {
  if (!struct || AS_TYPED.test(path)) return
  const { type, schema } = struct as { type: string; schema: unknown }
  if (type === 'object' || type === 'type') {
    for (const [name, inner] of Object.entries((schema ?? {}) as Record<string, Struct>)) {
      yield* keptOverrides(inner, `${path}.${name}`)
    }
    return
  }
  if (type === 'array') return yield* keptOverrides(schema as Struct, `${path}[]`)
  const tried = type === 'record' ? { ar: TURNED, fr: TURNED, en: TURNED } : TURNED
  try {
    if (JSON.stringify(create(tried, struct)).includes('\u202e')) yield path
  } catch {
    // Refused.
  }
}

test('every text that a call takes loses its overrides of direction', () => {
  const found = Object.entries(CALLS).flatMap(([name, { body }]) => [
    ...keptOverrides(body as Struct | undefined, name),
  ])
  expect(found).toEqual([])
})
