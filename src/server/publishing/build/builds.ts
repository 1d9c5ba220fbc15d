import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstLine, StartError } from '../../database/start-error.ts'
import { stampOf } from './build-stamp.ts'

/** A finished build, in a directory of its own, so that a new one never removes a running shop's files. */
export interface Build {
  /** The hash of the sources that it was made from. */
  stamp: string
  clientDirectory: string
  serverDirectory: string
}

const KEPT = 3
const project = fileURLToPath(new URL('../../../..', import.meta.url))

/** The build of the present sources, which may not exist yet. */
export function currentBuild(root: string = project): Build {
  return buildOf(root, stampOf(resolve(root)))
}

/** The build with that stamp, which may not exist yet. */
export function buildOf(root: string, stamp: string): Build {
  const directory = join(resolve(root), 'dist', stamp)
  return {
    stamp,
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
  if (!isThere(build)) await runBuild(root, build.stamp)
  return build
}

/** The error for a finished build that can no longer be read. */
export function damagedBuild(directory: string, error: unknown): StartError {
  return new StartError(
    `The build in ${directory} is damaged (${firstLine(String(error))}); delete that directory and start again: it is made anew.`,
    { cause: error },
  )
}

function runBuild(root: string, stamp: string): Promise<void> {
  const program = fileURLToPath(new URL('./build.ts', import.meta.url))
  const child = spawn(process.execPath, [program, stamp], { cwd: root, stdio: 'inherit' })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => {
      if (code === 0) done()
      else fail(new StartError('The site could not be built; what is above says why.'))
    })
  })
}

const isStamp = (name: string) => /^[0-9a-f]{20}$/.test(name)

/** Removes all but the newest few builds: a running shop may still read from its own. */
export async function removeOldBuilds(root: string): Promise<void> {
  const dist = join(resolve(root), 'dist')
  const builds = readdirSync(dist)
    .filter(isStamp)
    .map((name) => ({ path: join(dist, name), at: statSync(join(dist, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of builds.slice(KEPT)) await rm(path, { recursive: true, force: true })
}
