import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** Cleans up after the test; after the file if it is called at its top. */
export function afterwards(cleanUp: () => void | Promise<void>): void {
  try {
    onTestFinished(cleanUp)
  } catch {
    afterAll(cleanUp)
  }
}

/** A directory that every user may read, removed afterwards. */
export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'karras-')))
  chmodSync(directory, 0o755)
  afterwards(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
