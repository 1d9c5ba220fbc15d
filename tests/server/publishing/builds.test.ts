import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  currentBuild,
  isThere,
  removeOldBuilds,
} from '../../../src/server/publishing/build/builds.ts'
import { temporaryDirectory } from '../../support/directory.ts'

function project() {
  const root = temporaryDirectory()
  mkdirSync(join(root, 'src', 'pages'), { recursive: true })
  mkdirSync(join(root, 'locales', 'ar'), { recursive: true })
  writeFileSync(join(root, 'src', 'pages', 'index.astro'), '<h1>home</h1>')
  writeFileSync(join(root, 'locales', 'ar', 'common.json'), '{}')
  writeFileSync(join(root, 'package-lock.json'), '{}')
  writeFileSync(join(root, 'README.md'), 'read me')
  return root
}

const fakeBuild = (root: string) =>
  mkdirSync(currentBuild(root).serverDirectory, { recursive: true })

describe('a build', () => {
  test('is fresh as long as none of its inputs changed', () => {
    const root = project()
    expect(isThere(currentBuild(root))).toBe(false)
    fakeBuild(root)
    expect(isThere(currentBuild(root))).toBe(true)
    writeFileSync(join(root, 'README.md'), 'read me again')
    expect(isThere(currentBuild(root))).toBe(true)
  })

  test.each([
    ['a page', 'src/pages/index.astro', '<h1>other</h1>'],
    ['a text', 'locales/ar/common.json', '{"a":"b"}'],
    ['a new file', 'src/pages/shop.astro', ''],
    ['the packages', 'package-lock.json', '{"a":1}'],
    ['the configuration', 'astro.config.mjs', ''],
  ])('is stale when %s changed', (_what, file, text) => {
    const root = project()
    const before = currentBuild(root).sourcesHash
    fakeBuild(root)
    writeFileSync(join(root, file), text)
    expect(isThere(currentBuild(root))).toBe(false)
    expect(currentBuild(root).sourcesHash).not.toBe(before)
  })

  test('named by contents does not depend on when or where files were written', () => {
    const [one, other] = [project(), project()]
    utimesSync(join(other, 'package-lock.json'), 1, 1)
    expect(currentBuild(one).sourcesHash).toBe(currentBuild(other).sourcesHash)
  })

  test('is deleted when there are three newer ones; other directories stay', async () => {
    const root = project()
    const builds = ['a', 'b', 'c', 'd'].map((letter) => join(root, 'dist', letter.repeat(20)))
    builds.forEach((build, age) => {
      mkdirSync(build, { recursive: true })
      utimesSync(build, 1000 + age, 1000 + age)
    })
    mkdirSync(join(root, 'dist', 'test-1'))
    await removeOldBuilds(root)
    const left = readdirSync(dirname(builds[0] ?? '')).sort()
    expect(left).toEqual(['b'.repeat(20), 'c'.repeat(20), 'd'.repeat(20), 'test-1'])
  })
})
