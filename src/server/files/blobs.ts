import type { Readable } from 'node:stream'

/** Bytes to read of a file, the first and the last one included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface ListedBlob {
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly changedAt: Date
}

/** What is written: bytes, or pieces of them as they come. */
export type Pieces = Uint8Array | AsyncIterable<Uint8Array>

/** Where files lie, by names of `[0-9a-z/.-]`: a directory, or a bucket. */
export interface Blobs {
  /** Writes a whole file or none, over whatever has its name. */
  write(name: string, content: Pieces): Promise<void>
  /** Bytes; null if there is no such file. */
  sizeOf(name: string): Promise<number | null>
  /** The file or a range of it; null if there is no such file. Read it to its end, or destroy it. */
  read(name: string, range?: ByteRange): Promise<Readable | null>
  /** Deletes files; those that are not there are no error. */
  remove(names: readonly string[]): Promise<void>
  /** Every file whose name begins with `prefix`, which ends in a slash or is empty. */
  list(prefix: string): AsyncIterable<ListedBlob>
  /** Deletes what a process that was killed left half-written before that moment. */
  removeHalfWritten(before: Date): Promise<void>
  /** A path on this machine with the file's content, good until the next call; null if there is none. */
  localPath(name: string): Promise<string | null>
}
