import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { currentBuild, hashOfSources } from '../../src/server/publishing/build/builds.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** What a version of Karras consists of, without its build. */
export const COPIED = [
  'src',
  'locales',
  'public',
  'package.json',
  'package-lock.json',
  'astro.config.mjs',
]
const MIGRATIONS = 'src/server/database/migrations'

/** The migration that the newer version adds. */
export const NEWER_MIGRATION = '9999-newer'

/**
 * Puts a version of Karras with one more migration, to which this version need not be closed, into
 * an empty directory; its pages are those of the build of this one.
 */
export async function makeNewerTree(directory: string): Promise<void> {
  for (const name of COPIED) {
    await cp(join(ROOT, name), join(directory, name), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  const index = join(directory, MIGRATIONS, 'index.ts')
  const known = await readFile(index, 'utf8')
  const newer = known
    .replace(/^/, "import { newerMigrations } from './newer.ts'\n")
    .replace('  }).sort(', '    ...newerMigrations,\n  }).sort(')
  await writeFile(index, newer)
  await writeFile(
    join(directory, MIGRATIONS, 'newer.ts'),
    `import { sql } from 'kysely'
import { additive } from './migration.ts'

export const newerMigrations = additive(
  '${NEWER_MIGRATION}',
  sql\`ALTER TABLE orders ADD COLUMN newer text\`,
)
`,
  )
  const { sourcesHash: stamp } = currentBuild(ROOT)
  const dist = join(directory, 'dist')
  await mkdir(dist)
  await cp(join(ROOT, 'dist', stamp), join(dist, hashOfSources(directory)), { recursive: true })
}
