import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  object,
  optional,
  string,
  type,
} from 'superstruct'

/**
 * A backup is one file: the line `MAGIC`, then blocks. A block is a letter for its kind, its length
 * (4 bytes, big-endian), and that many bytes:
 *
 *   H  the header, JSON                          once, first
 *   P  a part begins: what it holds, JSON
 *   D  a piece of the part
 *   E  the part ends: its length, its SHA-256, JSON
 *   Z  the end: how many parts, and the SHA-256 of all blocks but the D blocks, JSON
 *
 * Every byte of the pieces is covered by its part's sum, and those sums and everything else by the
 * one at the end, so that a file that was cut or damaged anywhere is recognised by reading it once.
 */
export const MAGIC = 'KARRAS BACKUP\n'

/** Increased whenever an older Karras could no longer read the file. */
export const FORMAT = 2
/** What an older Karras can read as well: a backup without the shop's secret. */
export const FORMAT_WITHOUT_SECRET = 1

export const KIND = { header: 72, part: 80, data: 68, partEnd: 69, end: 90 } as const

/** In bytes: the limit of a piece, and that of any other record. */
export const LONGEST_PIECE = 256 * 1024
export const LONGEST_RECORD = 16 * 1024 * 1024

const Table = object({ name: string(), columns: array(string()) })
const Sequence = object({ name: string(), lastValue: string(), isCalled: boolean() })

// `type`, not `object`: a later Karras may add fields.
export const Header = type({
  format: integer(),
  madeAt: string(),
  /** The major version of the PostgreSQL from which the tables were read. */
  postgres: integer(),
  /** The names of the migrations that created the tables, oldest first. */
  migrations: array(string()),
  tables: array(Table),
  sequences: array(Sequence),
  /** Whether it holds `DATA_DIR/secret`, with which tokens can be signed. */
  holdsSecret: optional(boolean()),
})
export type Header = Infer<typeof Header>
export type TableOf = Infer<typeof Table>
export type SequenceOf = Infer<typeof Sequence>

/**
 * The rows of a table, as COPY writes them; the mails in the queue, a line of JSON each; a file,
 * named by its key; or the shop's secret.
 */
export const Part = type({
  kind: enums(['table', 'mails', 'file', 'secret']),
  name: string(),
  encoding: enums(['zstd', 'plain']),
})
export type Part = Infer<typeof Part>

export const PartEnd = type({ bytes: integer(), sha256: string() })
export const End = type({ parts: integer(), sha256: string() })

/** The file is not a backup, or incomplete; `message` is one line for an operator. */
export class BadBackup extends Error {
  override name = 'BadBackup'
}
