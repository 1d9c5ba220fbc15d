import { expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'

/** Files that show or parse dinars, and URLs that contain a price. */
const BORDERS = [
  /^src\/i18n\/addresses\.ts$/,
  /^src\/pages\/_gallery\//,
  /^src\/pages\/payment\/transfer\//,
]

test('handlers, presenters and components leave dinars to the contract', () => {
  const inside =
    /^src\/(components|islands|layouts|pages)\/|^src\/office\/.*\.tsx$|\/(?:[\w-]*routes|present[\w-]*)\.ts$/
  const converting = sourceFiles(inside)
    .filter((file) => file.startsWith('src/') && !BORDERS.some((border) => border.test(file)))
    .filter((file) => /\b(?:inDinars|dinars)\(/.test(read(file)))
  expect(converting).toEqual([])
})
