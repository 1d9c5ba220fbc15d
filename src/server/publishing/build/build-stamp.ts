import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** All sources of pages: their own, and those of the server, which gives them data. */
const SOURCES = ['src', 'locales', 'public', 'package-lock.json', 'astro.config.mjs']

/** A hash of the present sources; takes about 20 ms for 500 files. */
export function stampOf(root: string): string {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((source) => filesOf(root, source)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 20)
}

function filesOf(root: string, source: string): string[] {
  const path = join(root, source)
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [source]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}
