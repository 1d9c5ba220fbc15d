import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of a ZIP; `open` is called when the file is about to be written. */
export interface Entry {
  readonly name: string
  readonly changedAt: Date
  /** In bytes. */
  readonly size: number
  open(): Promise<Readable>
}

export interface Zip {
  readonly stream: Readable
  /** In bytes. */
  readonly size: number
}

/**
 * A ZIP of these files one after the other, uncompressed, since PDFs are compressed already. It
 * holds a few chunks in memory, whatever their sizes. A file that cannot be read to its announced
 * end aborts the stream; destroying the stream closes the file that is being read.
 */
export async function zipOf(entries: readonly Entry[]): Promise<Zip> {
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  let current: Readable | undefined
  const fail = (error: unknown) => stream.destroy(error instanceof Error ? error : undefined)
  zip.on('error', fail)
  stream.once('close', () => current?.destroy())
  for (const { name, changedAt, size, open } of entries) {
    const options = { compress: false, size, mtime: changedAt }
    zip.addReadStreamLazy(name, options, async (pass) => {
      try {
        const opened = await open()
        if (stream.destroyed) opened.destroy()
        else {
          current = opened.once('error', fail)
          pass(null, opened)
        }
      } catch (error) {
        fail(error)
      }
    })
  }
  const size = await new Promise<number>((resolve) => {
    // The library's types lack the size that it passes to the callback.
    zip.end(undefined, ((total: number) => resolve(total)) as () => void)
  })
  return { stream, size }
}
