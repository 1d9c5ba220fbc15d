import * as s from 'superstruct'
import { UNKNOWN_ID } from '../rules/features.ts'
import { dinars, inDinars, MILLIMES_PER_DINAR, type Millimes } from '../rules/money.ts'
import { PAGE_NUMBER_MAX, PAGE_SIZE_MAX } from '../rules/pager.ts'
import { isBlank, plainName, searchedPart, withoutOverrides } from '../rules/pasted-text.ts'
import { parseDinars, plainReference } from '../rules/typed-numbers.ts'

/**
 * The problems of an input field: the codes of the forms' validators (`src/rules/validators.ts`),
 * so that the interface needs only one sentence for each.
 */
export const REASONS = [
  'required',
  'min',
  'max',
  'minLength',
  'maxLength',
  'pattern',
  'thirdDecimal',
  'email',
  'phone',
  'html',
  'picture',
  'link',
  'deep',
  'placeholder',
  'invalid',
] as const
export type Reason = (typeof REASONS)[number]

/** The largest value of PostgreSQL's `integer`, the type of ids. */
const LARGEST_ID = 2 ** 31 - 1

/**
 * A struct that also accepts a text, which `read` converts. superstruct's `coerce` and `trimmed`
 * would create an error with a stack for everything that is not a text, such as each omitted filter
 * of a search.
 */
export function fromText<T, S>(
  struct: s.Struct<T, S>,
  read: (text: string) => unknown,
): s.Struct<T, S> {
  const coercer: typeof struct.coercer = (value, context) =>
    struct.coercer(typeof value === 'string' ? read(value) : value, context)
  return new s.Struct({ ...struct, coercer })
}

/** Trimmed and without overrides of direction; empty where nothing of it can be seen. */
const trimmed = (text: string): string => (isBlank(text) ? '' : withoutOverrides(text).trim())

/** An id, from a number or from the digits of a path or query. */
export function id(): s.Struct<number, null> {
  return fromText(s.max(s.min(s.integer(), 1), LARGEST_ID), (text) =>
    /^\d{1,10}$/.test(text) ? Number(text) : text,
  )
}

/** The parameters of a path that names its object by an id: `/orders/:id`. */
export const byId = s.object({ id: id() })

/** A whole number in a query, from `from` to `to`. */
export function whole(from: number, to: number): s.Struct<number, null> {
  return fromText(s.max(s.min(s.integer(), from), to), (text) =>
    /^\d{1,9}$/.test(text) ? Number(text) : text,
  )
}

// In the API, money is in dinars: a number with at most 2 decimals. `create` and `mask` convert it
// to whole millimes, the only form behind the contract; `encode` converts them back to dinars.

/** The type of the structs below, by which `encode` finds them. */
export const DINARS = 'dinars'

const LARGEST_AMOUNT: Millimes = 1_000_000_000 * MILLIMES_PER_DINAR

// A list contains many amounts, so a single refinement checks everything.
function money(least: Millimes): s.Struct<Millimes, null> {
  const amount = s.define<Millimes>(DINARS, (value) => typeof value === 'number')
  const coercer = (value: unknown) => (typeof value === 'number' ? readDinars(value) : value)
  return checked(new s.Struct({ ...amount, coercer }), (value) => {
    if (value < least) return 'min'
    if (value > LARGEST_AMOUNT) return 'max'
    if (value % 10 === 0) return null
    return Math.abs(value - Math.round(value)) < 1e-6 ? 'thirdDecimal' : 'pattern'
  })
}

/**
 * Dinars as millimes; an amount with more than 2 decimals is not rounded, and is therefore refused.
 */
function readDinars(amount: number): number {
  const exactly = amount * MILLIMES_PER_DINAR
  if (!(Math.abs(exactly) <= LARGEST_AMOUNT)) return exactly
  const rounded = dinars(amount)
  // Sums from other backends may have floating-point errors, such as 0.1 + 0.2.
  return Math.abs(inDinars(rounded) - amount) < 1e-8 ? rounded : exactly
}

/** An amount of money, 0 or more. */
export function dinarAmount(): s.Struct<Millimes, null> {
  return money(0)
}

/** The same in a query, where every value is text. */
export function dinarText(): s.Struct<Millimes, null> {
  return fromText(dinarAmount(), (text) =>
    // Sums of other clients may have further decimals.
    /^\d{1,10}(\.\d{1,9})?$/.test(text) ? Number(text) : (parseDinars(text) ?? text),
  )
}

/** An amount of money that may be negative, such as in the wallet's history. */
export function signedDinars(): s.Struct<Millimes, null> {
  return money(-LARGEST_AMOUNT)
}

/** The reference of a payment, ours or the gateway's. */
export function paymentReference(): s.Struct<string, null> {
  return fromText(s.pattern(s.string(), /^[0-9A-Za-z_-]{8,64}$/), (text) =>
    text.length > PASTED_FACTOR * 64 ? text : plainReference(text),
  )
}

/** The id of an upload, which cannot be guessed. */
export function uploadId(): s.Struct<string, null> {
  return s.pattern(s.string(), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
}

/** How many times as long as its field a text may be for its marks and spaces to be dropped. */
const PASTED_FACTOR = 4

/**
 * Text of `from` to `to` characters (code points) after `clean`, which by default trims it. A text that
 * is far too long is refused as it is.
 */
export function text(from: number, to: number, clean = trimmed): s.Struct<string, null> {
  const read = (typed: string) =>
    typed.length > PASTED_FACTOR * to ? trimmed(typed) : clean(typed)
  return checked(fromText(s.string(), read), (value) => {
    const { length } = [...value]
    if (length < from) return length === 0 ? 'required' : 'minLength'
    return length <= to ? null : 'maxLength'
  })
}

/** The searched text, trimmed; a longer text is cut, as on the pages (`searchedPart`). */
export function searchedText(): s.Struct<string, null> {
  return fromText(s.string(), (text) => searchedPart(trimmed(text)))
}

/** A name on one line, of `from` to `to` characters. */
export function nameText(from: number, to: number): s.Struct<string, null> {
  return checked(text(from, to, plainName), (name) =>
    /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? 'pattern' : null,
  )
}

/** Adds a rule to a struct: `reason` returns the rule that a value breaks, or null. */
export function checked<T, S>(
  struct: s.Struct<T, S>,
  reason: (value: T) => Reason | null,
): s.Struct<T, S> {
  return s.refine(struct, 'checked', (value) => reason(value) ?? true)
}

/** A moment in ISO 8601, UTC. */
export function moment(): s.Struct<string, null> {
  return s.pattern(s.string(), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
}

/** A day in Tunisia: `2026-11-22`. */
export function day(): s.Struct<string, null> {
  return checked(s.pattern(s.string(), /^20\d\d-\d\d-\d\d$/), (value) =>
    Number.isNaN(Date.parse(value)) || !new Date(value).toISOString().startsWith(value)
      ? 'pattern'
      : null,
  )
}

/** An anonymous visitor's session id: `anon-` and a secret of that browser. */
export function sessionId(): s.Struct<string, null> {
  return s.pattern(s.string(), /^anon-[A-Za-z0-9-]{16,64}$/)
}

// What other backends answer (`API_ORIGIN`). They have the calls and fields that the specification
// lists, in one of the shapes that it leaves open; every other field is ours. `ours` and the structs
// made with it read all of that as our own backend's answers, so that nobody behind the contract has
// to know. Our backend itself always answers what `promisedBy` returns.

const promises = new WeakMap<AnyStruct, AnyStruct>()

/** What our own backend promises where the reading of an answer asks for less. */
export const promisedBy = (struct: AnyStruct): AnyStruct => promises.get(struct) ?? struct

/**
 * A part of an answer that other backends may leave out, or have in another shape, which `read`
 * converts. A missing or unknown value is read as the fallback.
 */
// biome-ignore-start lint/suspicious/noExplicitAny: the inner schema does not matter here
export function ours<T>(
  struct: s.Struct<T, any>,
  fallback: NoInfer<T>,
  read: (value: unknown) => unknown = (value) => value,
): s.Struct<T, null> {
  const reader = new s.Struct<T, null>({
    // `encode` finds money by these.
    type: struct.type,
    schema: struct.schema as null,
    coercer(value) {
      const given = read(value)
      if (given === undefined) return fallback
      const [error, result] = s.validate(given, struct, { coerce: true })
      return error ? fallback : result
    },
  })
  promises.set(reader, struct)
  return reader
}

/** A part of an answer that other backends may have in another shape, which `read` converts. */
export function fromOther<T, S>(
  struct: s.Struct<T, S>,
  read: (value: unknown) => unknown,
): s.Struct<T, S> {
  const reader = new s.Struct({
    ...struct,
    coercer: (value: unknown, context: s.Context) => struct.coercer(read(value), context),
  })
  promises.set(reader, struct)
  return reader
}

/** An answer in whose place other backends may give anything, which is then null. */
export function oursOrNull<T>(struct: s.Struct<T, any>): s.Struct<T | null, null> {
  const reader = ours<T | null>(s.nullable(struct), null)
  promises.set(reader, struct)
  return reader
}

/** A field of our own backend's answers alone. */
export const extra = <T>(struct: s.Struct<T, any>) => ours(s.optional(struct), undefined)
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** A moment in any form that a date is written in, by default in UTC; '' where there is none. */
export const saidMoment = () => ours(moment(), '', readMoment)

function readMoment(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  if (s.is(value, moment())) return value
  const isLocal = typeof value === 'string' && /T[\d:.]+$/.test(value)
  const date = new Date(isLocal ? `${value}Z` : value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** An id that other backends may not tell. */
export const idOrNone = () => ours(id(), UNKNOWN_ID)

/** A name or text that other backends may leave out. */
export const textOrNone = () => ours(s.string(), '')

/** A number that other backends may leave out. */
export const numberOrNone = () => ours(s.number(), 0)

/** The author and the time of a thing's last change; null: it is still the first version. */
export const LastChange = s.nullable(s.type({ by: s.string(), at: moment() }))

/** The number of a version; 0 is the first. */
export const revision = () => whole(0, 999_999_999)

/** An answer without content. */
export function nothing(): s.Struct<unknown, null> {
  return s.define('nothing', () => true)
}

/** The query of a call that returns a page of a list: the page, from 0, and its size. */
export const pageQuery = {
  page: s.optional(whole(0, PAGE_NUMBER_MAX)),
  size: s.optional(whole(1, PAGE_SIZE_MAX)),
}

/** A page of a list in the office: its items, its number from 0, and the totals. */
export function pageOf<T, S>(item: s.Struct<T, S>) {
  return s.type({
    content: s.array(item),
    totalElements: s.number(),
    totalPages: s.number(),
    number: s.number(),
    size: s.number(),
  })
}

// biome-ignore lint/suspicious/noExplicitAny: a struct of any shape
type AnyStruct = s.Struct<any, any>
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
