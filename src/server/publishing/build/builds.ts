import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstLine, StartError } from '../../database/start-error.ts'

/** A finished build, in a directory of its own, so that a new one never removes a running shop's files. */
export interface Build {
  /** The hash of the sources that it was made from. */
  sourcesHash: string
  clientDirectory: string
  serverDirectory: string
}

/** The build's list of `Astro.locals.scripts`, in its `serverDirectory`. */
export const PAGE_SCRIPTS = 'page-scripts.json'

const KEPT = 3
/** All sources of pages: their own, and those of the server, which gives them data. */
const SOURCES = ['src', 'locales', 'public', 'package-lock.json', 'astro.config.mjs']

const project = fileURLToPath(new URL('../../../..', import.meta.url))

/** A hash of the present sources; takes about 20 ms for 500 files. */
export function hashOfSources(root: string): string {
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

/** The build of the present sources, which may not exist yet. */
export function currentBuild(root: string = project): Build {
  return buildOf(root, hashOfSources(resolve(root)))
}

/** The build of sources with that hash, which may not exist yet. */
export function buildOf(root: string, sourcesHash: string): Build {
  const directory = join(resolve(root), 'dist', sourcesHash)
  return {
    sourcesHash,
    clientDirectory: join(directory, 'client'),
    serverDirectory: join(directory, 'server'),
  }
}

/** Whether a build exists: builds are renamed into place when they are complete. */
export const isThere = (build: Build): boolean => existsSync(build.serverDirectory)

/**
 * The build of the present sources, made first if it does not exist. It is made in a process of its
 * own, so that the shop has neither the bundler's memory nor the `NODE_ENV` that it sets.
 */
export async function ensureBuild(root: string = project): Promise<Build> {
  const build = currentBuild(root)
  if (!isThere(build)) await runBuild(root, build.sourcesHash)
  return build
}

/** The error for a finished build that can no longer be read. */
export function damagedBuild(directory: string, error: unknown): StartError {
  return new StartError(
    `The build in ${directory} is damaged (${firstLine(String(error))}); delete that directory and start again: it is made anew.`,
    { cause: error },
  )
}

function runBuild(root: string, sourcesHash: string): Promise<void> {
  const program = fileURLToPath(new URL('./build.ts', import.meta.url))
  const child = spawn(process.execPath, [program, sourcesHash], { cwd: root, stdio: 'inherit' })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => {
      if (code === 0) done()
      else fail(new StartError('The site could not be built; what is above says why.'))
    })
  })
}

const isHash = (name: string) => /^[0-9a-f]{20}$/.test(name)

/** Removes all but the newest few builds: a running shop may still read from its own. */
export async function removeOldBuilds(root: string): Promise<void> {
  const dist = join(resolve(root), 'dist')
  const builds = readdirSync(dist)
    .filter(isHash)
    .map((name) => ({ path: join(dist, name), at: statSync(join(dist, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of builds.slice(KEPT)) await rm(path, { recursive: true, force: true })
}
