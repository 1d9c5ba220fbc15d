import type { Struct } from 'superstruct'
import type { AnyCall } from '../../../src/contract/call.ts'
import { openRoom } from '../../../src/contract/chat.ts'
import type { TestApp } from '../../support/app.ts'
import { PASSWORD } from '../../support/factories.ts'
import type { Person } from '../../support/people.ts'

/** Values by field name; other fields get a value generated from their struct. */
export type Known = Readonly<Record<string, unknown>>

/** Valid values for fields that do not accept just any number or text. */
export async function knownFields(
  app: TestApp,
  { me, other, administrator }: Record<'me' | 'other' | 'administrator', Person>,
): Promise<Known> {
  const { id, teacherId } = await app.aDocument()
  const { id: second } = await app.aDocument()
  const codes = await app.kysely
    .selectFrom('documents')
    .innerJoin('niveaux', 'niveaux.id', 'niveauId')
    .innerJoin('matieres', 'matieres.id', 'matiereId')
    .select(['niveaux.code as classCode', 'matieres.code as subjectCode'])
    .where('documents.id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    ...(await aRoom(app, me, administrator)),
    ...codes,
    id,
    documentId: id,
    ids: [id],
    documentIds: [id, second],
    teacherId,
    userId: me.id,
    sessionId: `anon-${'0'.repeat(32)}`,
    username: me.email,
    password: PASSWORD,
    email: 'new@karras.test',
    contactEmail: 'contact@karras.test',
    phone: '20 000 111',
    code: '123456',
    phones: ['20 000 111'],
    logo: '',
    link: 'salma-maths',
    startsAt: '2026-01-01T00:00:00.000Z',
    entries: [],
    accent: '',
    credit: { name: '', url: '' },
    user: { id: me.id },
    document: { id },
    provider: 'sandbox',
    orderId: 1,
    orderDocs: [{ documentId: id }],
    amount: 20,
    price: 5,
    seen: 20,
    rib: '10006035183598478831',
    paymentMethod: 'direct',
    paymentRef: '0'.repeat(24),
    payment_ref: '0'.repeat(24),
    user1Id: me.id,
    user2Id: other.id,
    roomId: `room_${me.id}_${other.id}`,
    senderId: me.id,
    receiverId: other.id,
    taxNumber: '',
    register: '',
    vatRate: '',
    stamp: '',
    period: '2026',
    year: '2026',
    day: '2026-01-31',
    month: '2026-01',
    transferredOn: '2026-01-31',
    paidOn: '2026-01-31',
    ratedAt: '2026-01-31T09:30:00.000Z',
    subject: 'facts contact',
    mark: '0'.repeat(32),
    minutes: 60,
    satAt: '2026-01-31T09:30:00.000Z',
    followed: `t${teacherId}`,
    readAt: '2026-01-31T09:30:00.000Z',
  }
}

/** The part of a call that contains a field. */
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

/**
 * An input that the contract accepts, with values from `known` for fields of these names.
 * `whenUnknown` returns the value where no sample fits; by default it fails the test, which should
 * then add a value.
 */
export function sampleInput(
  call: AnyCall,
  known: Known,
  whenUnknown: WhenUnknown = (name) => {
    throw new Error(`${call.method} ${call.path}: name a value for ${name} in knownFields()`)
  },
): Sample {
  const parts = PARTS.filter((part) => call[part] !== undefined)
  return Object.fromEntries(
    parts.map((part) => [
      part,
      part === 'body' && call.takes === 'bytes'
        ? 'bytes'
        : sampleFields((call[part]?.schema ?? {}) as Fields, known, whenUnknown),
    ]),
  )
}

type Fields = Record<string, Struct>
type WhenUnknown = (name: string) => unknown

function sampleFields(schema: Fields, known: Known, whenUnknown: WhenUnknown) {
  return Object.fromEntries(
    Object.entries(schema)
      .map(([name, struct]) => {
        // Uploads have unguessable ids, not numbers.
        const isNamed = Object.hasOwn(known, name) && !(name === 'id' && struct.is(UUID))
        return [name, isNamed ? known[name] : sample(name, struct, known, whenUnknown)]
      })
      .filter(([, value]) => value !== undefined),
  )
}

const UUID = '00000000-0000-4000-8000-000000000000'

function sample(name: string, struct: Struct, known: Known, whenUnknown: WhenUnknown): unknown {
  if (struct.is(undefined)) return undefined
  const schema = struct.schema as unknown
  if (struct.type === 'enums') return Object.values(schema as object)[0]
  if (struct.type === 'literal') return schema
  if (struct.type === 'object' || struct.type === 'type') {
    return sampleFields(schema as Fields, known, whenUnknown)
  }
  const value = [1, 'x', 'Some text', [], {}, true, null, UUID].find((each) => struct.is(each))
  if (value !== undefined) return value
  if (struct.type === 'array') return [sample(name, schema as Struct, known, whenUnknown)]
  return whenUnknown(name)
}

/** Path and query of a call, from the root; texts are used as they are, already encoded. */
export function addressOf(call: AnyCall, { params = {}, query = {} }: Sample = {}): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]))
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `/api${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

/** The fields of calls about an open conversation of these two, as for its first message. */
async function aRoom(app: TestApp, me: Person, administrator: Person): Promise<Known> {
  const query = { user1Id: me.id, user2Id: administrator.id }
  const { roomId } = await app.call(openRoom, { as: me, query })
  const content = 'مرحبا'
  return { ...query, roomId, senderId: me.id, receiverId: administrator.id, content, upTo: 1 }
}

/** Returns a caller who is admitted by a call's policy. */
export async function admittedCallers(
  app: TestApp,
  { me, administrator }: Record<'me' | 'administrator', Person>,
): Promise<(call: AnyCall) => Person> {
  const teacher = await app.anOfficeTeacher()
  return ({ caller }) => {
    if (caller === 'teacher') return teacher
    return caller === 'staff' || caller === 'admin' ? administrator : me
  }
}
