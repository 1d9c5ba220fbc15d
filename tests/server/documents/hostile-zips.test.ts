import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { LIST_MAX_BYTES, PACKAGE_MAX_FILES } from '../../../src/rules/imports.ts'
import { listArchive, unpackEntry } from '../../../src/server/uploads/archive.ts'
import { mutated } from '../../support/changed-bytes.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { type HostileFile, hostileZip } from '../../support/hostile-zips.ts'
import { csv } from '../../support/imports.ts'

describe('a ZIP', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = temporaryDirectory()
    path = join(folder, 'a.zip')
  })
  const listed = async (files: readonly HostileFile[], end = {}) => {
    await writeFile(path, hostileZip(files, end))
    return await listArchive({ path })
  }
  const unpackFirst = async (most: number) => {
    const zip = await listArchive({ path })
    const [file] = zip.fault ? [] : zip.files
    if (!file) throw new Error('the ZIP has no file')
    const to = join(folder, 'out')
    const unpacked = await unpackEntry({ path, file, to, most })
    const left = await stat(to).catch(() => null)
    return { ...unpacked, left: left?.size ?? null }
  }
  const big = Buffer.alloc(20_000_000)

  test('of honest files is read', async () => {
    const zip = await listed([
      { name: 'a.csv', content: 'x' },
      { name: 'é/b.pdf', content: big },
      { name: 'empty' },
    ])
    if (zip.fault) throw new Error(zip.reason)
    expect(zip.files.map(({ name, size }) => [name, size])).toEqual([
      ['a.csv', 1],
      ['é/b.pdf', big.length],
      ['empty', 0],
    ])
    for (const file of zip.files) {
      const to = join(folder, 'out')
      const unpacked = await unpackEntry({ path, file, to, most: big.length })
      expect(unpacked).toEqual({ written: file.size, fault: null })
      expect(await readFile(to)).toHaveLength(file.size)
    }
    await rm(join(folder, 'out'))
    expect(await unpackFirst(0)).toEqual({ written: 0, fault: 'too_large', left: null })
  })

  test('that understates or overstates its files is unpacked no further than it says', async () => {
    await listed([{ name: 'a.csv', content: big, size: 1000 }])
    const { written, ...rest } = await unpackFirst(LIST_MAX_BYTES)
    expect(rest).toEqual({ fault: 'damaged', left: null })
    expect(written).toBeLessThan(100_000)
    await listed([{ name: 'a.csv', content: big, size: big.length + 1 }])
    expect(await unpackFirst(2 * big.length)).toMatchObject({ fault: 'damaged', left: null })
  })

  test('is refused for what its directory says, before anything is unpacked', async () => {
    const faultOf = async (files: readonly HostileFile[], end = {}) => {
      const zip = await listed(files, end)
      return zip.fault && `${zip.fault}: ${zip.reason}`
    }
    const file = { name: 'a', content: big }
    expect(await faultOf([file, { name: 'b', content: big, sameAs: 0 }])).toMatch(
      /^bad: .*over each/,
    )
    // The packed bytes of the first contain the beginning of the second.
    const { length } = deflateRawSync(big)
    expect(await faultOf([{ ...file, packedSize: length + 10 }, { name: 'b' }])).toMatch(
      /^bad: .*over each/,
    )
    expect(await faultOf([{ ...file, packedSize: 2 ** 31 }])).toMatch(/^bad: /)
    const many = Array.from({ length: 65_535 }, (_, at) => ({ name: `${at}` }))
    expect(await faultOf(many)).toMatch(/^too_large: /)
    // In its end it says how many; the directory is not believed either.
    const more = many.slice(0, PACKAGE_MAX_FILES + 1)
    expect(await faultOf(more)).toMatch(/^too_large: /)
    expect(await faultOf([{ name: 'n'.repeat(60_000) }])).toMatch(/^bad: .*name is too long/)
    expect(await faultOf([{ name: 'a', extra: Buffer.alloc(60_000) }])).toMatch(/^bad: /)
    for (const directoryAt of [2n ** 40n, 2n ** 62n, 2n ** 64n - 1n]) {
      expect(await faultOf([file], { directoryAt }), `${directoryAt}`).toMatch(
        /^bad: .*outside itself/,
      )
    }
    expect(await faultOf([{ name: '../a' }])).toMatch(/^bad: /)
  })

  test('in a ZIP is a file like any other', async () => {
    const inner = hostileZip([{ name: 'b', content: big }])
    const zip = await listed([{ name: 'inner.zip', content: inner }])
    expect(zip.fault ? [] : zip.files.map(({ name, size }) => [name, size])).toEqual([
      ['inner.zip', inner.length],
    ])
  })

  test('however it is changed, is read or refused, within what it may unpack to', async () => {
    const content = csv([{ reference: 'A' }, { reference: 'B' }])
    const good = hostileZip(
      [
        { name: 'a.csv', content },
        { name: 'b', content: 'stored' },
      ],
      {},
    )
    const large = hostileZip([{ name: 'a.csv', content }], { directoryAt: true })
    const most = 100_000
    for (const bytes of [good, large]) {
      await writeFile(path, bytes)
      expect(await listArchive({ path })).toMatchObject({ fault: null })
      await fc.assert(
        fc.asyncProperty(mutated(bytes), async (changed) => {
          await writeFile(path, changed)
          const zip = await listArchive({ path })
          for (const file of zip.fault ? [] : zip.files) {
            const to = join(folder, 'out')
            const { written, fault } = await unpackEntry({ path, file, to, most })
            if (!fault) expect([written, (await stat(to)).size]).toEqual([file.size, file.size])
            expect(written).toBeLessThan(most + 64 * 1024)
          }
        }),
        { numRuns: 300 },
      )
    }
  })
})
