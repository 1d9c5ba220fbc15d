import { expect, test } from 'vitest'
import { importsOfFiles } from './source-graph.ts'

/** Code that belongs to the office alone: buyers load none of it. */
const OFFICE =
  /^src\/(?:(?:pages\/)?office\/|layouts\/[Oo]ffice|client\/office[\w-]*\.ts|(?:i18n|rules)\/office-[\w-]+\.ts|contract\/(?:all-errors|earnings|office-[\w-]+|own-document|payouts|teacher-[\w-]+|uploads)\.ts)/

/** The folders that browsers load from; the server serves both. */
const IN_BROWSERS =
  /^src\/(?:client|components|contract|i18n|islands|layouts|office|pages|rules|stores)\//

/** No browser loads these with their imports: the list of all calls, a type, and the gallery. */
const BOTH = /^src\/(?:contract\/(?:all-calls|index|errors)\.ts|pages\/_gallery\/)/

test('nothing that buyers load imports a part of the office', () => {
  const wrong = [...importsOfFiles()].flatMap(([file, targets]) =>
    OFFICE.test(file) || BOTH.test(file) || !IN_BROWSERS.test(file)
      ? []
      : [...targets].filter((target) => OFFICE.test(target)).map((target) => `${file} → ${target}`),
  )
  expect(wrong).toEqual([])
})
