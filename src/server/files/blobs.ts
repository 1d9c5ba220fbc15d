import type { Readable } from 'node:stream'

/** A range of bytes of a file, first and last inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface ListedBlob {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly changedAt: Date
}

/** The content to write: bytes, or chunks as they arrive. */
export type Pieces = Uint8Array | AsyncIterable<Uint8Array>

/** A store of files with names of `[0-9a-z/.-]`: a directory, or a bucket. */
export interface Blobs {
  /** Writes a whole file or nothing, replacing an existing file. */
  write(name: string, content: Pieces): Promise<void>
  /** The size in bytes; null if there is no such file. */
  sizeOf(name: string): Promise<number | null>
  /**
   * The file or a range of it; null if there is no such file. Read the stream to its end, or
   * destroy it.
   */
  read(name: string, range?: ByteRange): Promise<Readable | null>
  /**
   * Like `read`, piece by piece: the bytes of a piece stay valid until the reader requests the next
   * one.
   */
  pieces(name: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | null>
  /** Deletes files; ignores missing ones. */
  remove(names: readonly string[]): Promise<void>
  /** Every file whose name starts with `prefix`, which ends in a slash or is empty. */
  list(prefix: string): AsyncIterable<ListedBlob>
  /** Deletes incomplete files that killed processes left before that moment. */
  removeHalfWritten(before: Date): Promise<void>
  /**
   * A path on this machine with the file's content, valid until the next call; null if there is
   * none.
   */
  localPath(name: string): Promise<string | null>
}
