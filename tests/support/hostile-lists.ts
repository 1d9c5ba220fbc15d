import fc from 'fast-check'
import { LIST_MAX_BYTES } from '../../src/rules/imports.ts'
import { OWN_COLUMNS } from '../../src/server/documents/import/columns.ts'
import type { HostileFile } from './hostile-zips.ts'

// Lists that are far too large, each in its own way.

const HEADER = `${OWN_COLUMNS.join(';')}\n`
/** A list that is filled up to its limit with copies of `piece`. */
export const filled = (head: string, piece: string) =>
  head + piece.repeat(Math.floor((LIST_MAX_BYTES - head.length) / Buffer.byteLength(piece)))
const rowsOf = (count: number) =>
  Buffer.concat([Buffer.from(HEADER), Buffer.alloc(4 * count, '1;2\n')])

/** Lists by what they are, with a problem that each of them must have. */
export const LISTS: Readonly<Record<string, { problem: string; list: () => HostileFile }>> = {
  'six million rows': {
    problem: 'list_too_large',
    list: () => ({ name: 'a.csv', content: rowsOf(6_000_000) }),
  },
  'six million rows that say they are few': {
    problem: 'not_unpacked',
    list: () => ({ name: 'a.csv', content: rowsOf(6_000_000), size: LIST_MAX_BYTES }),
  },
  'as many short rows as fit': {
    problem: 'too_many_rows',
    list: () => ({
      name: 'a.csv',
      content: filled(HEADER, `1${';'.repeat(OWN_COLUMNS.length - 1)}\n`),
    }),
  },
  'empty rows': {
    problem: 'no_rows',
    list: () => ({
      name: 'a.csv',
      content: filled(HEADER, `${';'.repeat(OWN_COLUMNS.length - 1)}\n`),
    }),
  },
  'a million columns': {
    problem: 'too_many_columns',
    list: () => ({ name: 'a.csv', content: filled('', 'a;') }),
  },
  'an open quote': {
    problem: 'quote_not_closed',
    list: () => ({ name: 'a.csv', content: filled(`${HEADER}"`, '1;2\n') }),
  },
  'cells of 60 000 letters': {
    problem: 'too_long',
    list: () => ({
      name: 'a.csv',
      content: filled(
        HEADER,
        `${OWN_COLUMNS.map((_, at) => (at < 6 ? 'ئ'.repeat(60_000) : '')).join(';')}\n`,
      ),
    }),
  },
  'brackets in brackets': {
    problem: 'not_json',
    list: () => ({ name: 'a.json', content: filled('', '[') }),
  },
  'a million keys': {
    problem: 'repeated_column',
    list: () => ({ name: 'a.json', content: filled('[{"a":0', ',"b":0') }),
  },
}

/** Bytes with some of them changed, left out, repeated or moved. */
export const mutated = (bytes: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .array(
      fc.record({
        at: fc.nat(bytes.length - 1),
        length: fc.integer({ min: 1, max: 8 }),
        kind: fc.constantFrom('set', 'drop', 'repeat', 'cut'),
        by: fc.uint8Array({ minLength: 1, maxLength: 8 }),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((changes) =>
      changes.reduce((now, { at, length, kind, by }) => {
        const [head, tail] = [now.subarray(0, at), now.subarray(at + length)]
        if (kind === 'set') return Buffer.concat([head, by, tail])
        if (kind === 'drop') return Buffer.concat([head, tail])
        if (kind === 'repeat')
          return Buffer.concat([head, now.subarray(at, at + length), now.subarray(at)])
        return now.subarray(0, at)
      }, bytes),
    )
