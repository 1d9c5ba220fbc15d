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
