import type { Struct } from 'superstruct'
import type { AnyCall } from '../../../src/contract/call.ts'
import { openRoom } from '../../../src/contract/chat.ts'
import type { TestApp } from '../../support/app.ts'
import type { Person } from '../../support/people.ts'

/** Values by the name of their field; what is not named is made from its struct. */
export type Known = Readonly<Record<string, unknown>>

/** Where in a call a field stands. */
export type Part = 'params' | 'query' | 'body'
export const PARTS: readonly Part[] = ['params', 'query', 'body']

/** The names of a part's fields, as the contract declares them. */
export function fieldsOf(call: AnyCall, part: Part): string[] {
  return Object.keys((call[part]?.schema ?? {}) as object)
}

export interface Sample {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** An input that the contract takes, with `known` where a field has such a name. */
export function sampleInput(call: AnyCall, known: Known): Sample {
  const parts = PARTS.filter((part) => call[part] !== undefined)
  return Object.fromEntries(
    parts.map((part) => [
      part,
      part === 'body' && call.takes === 'bytes' ? 'bytes' : sampleObject(call, part, known),
    ]),
  )
}

function sampleObject(call: AnyCall, part: Part, known: Known): Record<string, unknown> {
  const schema = (call[part]?.schema ?? {}) as Record<string, Struct>
  return Object.fromEntries(
    Object.entries(schema)
      .map(([name, struct]) => {
        // Uploads are named by what nobody can guess, not by a number.
        const isNamed = Object.hasOwn(known, name) && !(name === 'id' && struct.is(UUID))
        return [name, isNamed ? known[name] : sample(struct)]
      })
      .filter(([, value]) => value !== undefined),
  )
}

const UUID = '00000000-0000-4000-8000-000000000000'

function sample(struct: Struct): unknown {
  const candidates = [undefined, 1, 'x', 'Some text', [], {}, true, null, UUID]
  const schema = struct.schema as unknown
  if (struct.type === 'enums') return Object.values(schema as object)[0]
  if (struct.type === 'literal') return schema
  return candidates.find((candidate) => struct.is(candidate))
}

/** Path and query of a call, below the root; texts are taken as they are, encoded already. */
export function addressOf(call: AnyCall, { params = {}, query = {} }: Sample = {}): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]))
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `/api${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

/** The fields of the calls about an open conversation of these two, as its first one sends them. */
export async function aRoom(app: TestApp, me: Person, administrator: Person): Promise<Known> {
  const query = { user1Id: me.id, user2Id: administrator.id }
  const { roomId } = await app.call(openRoom, { as: me, query })
  const content = 'مرحبا'
  return { ...query, roomId, senderId: me.id, receiverId: administrator.id, content, upTo: 1 }
}

/** Somebody whom a call's policy admits. */
export async function insiders(
  app: TestApp,
  { me, administrator }: Record<'me' | 'administrator', Person>,
): Promise<(call: AnyCall) => Person> {
  const teacher = await app.anOfficeTeacher()
  return ({ caller }) => {
    if (caller === 'teacher') return teacher
    return caller === 'staff' || caller === 'admin' ? administrator : me
  }
}
