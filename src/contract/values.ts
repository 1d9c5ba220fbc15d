import {
  coerce,
  define,
  integer,
  max,
  min,
  number,
  pattern,
  refine,
  type Struct,
  string,
  trimmed,
} from 'superstruct'
import type { Reason } from './errors.ts'

/** The largest value of PostgreSQL's integer, which ids are. */
const LARGEST_ID = 2 ** 31 - 1

/** An id, from a number or from the digits of a path or query. */
export function id(): Struct<number, null> {
  return coerce(max(min(integer(), 1), LARGEST_ID), string(), (text) =>
    /^\d{1,10}$/.test(text) ? Number(text) : text,
  ) as Struct<number, null>
}

/** A whole number of a query, `from` to `to`. */
export function whole(from: number, to: number): Struct<number, null> {
  return coerce(max(min(integer(), from), to), string(), (text) =>
    /^\d{1,9}$/.test(text) ? Number(text) : text,
  ) as Struct<number, null>
}

/** Dinars on the wire: a number, 0 or more, at most 2 decimals. */
export function dinarAmount(): Struct<number, null> {
  return checked(max(min(number(), 0), 1_000_000_000), (value) =>
    Math.abs(value * 100 - Math.round(value * 100)) < 1e-6 ? null : 'pattern',
  )
}

/** The same in a query, where all is text. */
export function dinarText(): Struct<number, null> {
  return coerce(dinarAmount(), string(), (text) =>
    /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text,
  ) as Struct<number, null>
}

/** Dinars that may be below 0: what an entry of the wallet's history gave or took. */
export function signedDinars(): Struct<number, null> {
  return checked(max(min(number(), -1_000_000_000), 1_000_000_000), (value) =>
    Math.abs(value * 100 - Math.round(value * 100)) < 1e-6 ? null : 'pattern',
  )
}

/** The reference of a payment, ours or its gateway's. */
export function paymentReference(): Struct<string, null> {
  return pattern(string(), /^[0-9A-Za-z_-]{8,64}$/)
}

/** Trimmed text of `from` to `to` characters (code points). */
export function text(from: number, to: number): Struct<string, null> {
  return checked(trimmed(string()), (value) => {
    const { length } = [...value]
    if (length < from) return length === 0 ? 'required' : 'minLength'
    return length <= to ? null : 'maxLength'
  })
}

/** A struct with a rule of ours: `reason` says what is wrong with the value, or null. */
export function checked<T, S>(
  struct: Struct<T, S>,
  reason: (value: T) => Reason | null,
): Struct<T, S> {
  return refine(struct, 'checked', (value) => reason(value) ?? true)
}

/** A moment as ISO 8601 UTC. */
export function moment(): Struct<string, null> {
  return pattern(string(), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
}

/** An anonymous visitor's session id: `anon-` and what only that browser knows. */
export function sessionId(): Struct<string, null> {
  return pattern(string(), /^anon-[A-Za-z0-9-]{16,64}$/)
}

/** A body that is not looked at. */
export function nothing(): Struct<unknown, null> {
  return define('nothing', () => true)
}
