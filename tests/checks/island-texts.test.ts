import { expect, test } from 'vitest'
import { read } from './source.ts'
import { type Graph, importsOfFiles } from './source-graph.ts'

const ENTRY = /^export default island\(/m
/** Where islands and their parts are. */
const ISLANDS = /^src\/(?:islands|office)\//
const GROUP = /[\w-]+:[\w.]+/g

const graph = importsOfFiles()
const islands = [...graph.keys()].filter((file) => ISLANDS.test(file) && ENTRY.test(read(file)))

/** A file and everything that it imports from those folders. */
function modulesOf(file: string, files: Graph, seen = new Set<string>()): Set<string> {
  seen.add(file)
  for (const other of files.get(file) ?? []) {
    if (ISLANDS.test(other) && !seen.has(other)) modulesOf(other, files, seen)
  }
  return seen
}

// The types check an island's own components against its list of texts, but not components that
// several islands share; and a text that is listed but unused costs every visitor bytes.
test.each(islands)('%s lists exactly the texts that its components use', (island) => {
  const sources = [...modulesOf(island, graph)].map(read)
  const groupsIn = (pattern: RegExp) =>
    sources.flatMap((source) =>
      [...source.matchAll(pattern)].flatMap(([, groups = '']) => groups.match(GROUP) ?? []),
    )
  const needs = groupsIn(/\b(?:island|office|admin)Texts\(([^)]*)\)/g)
  const used = groupsIn(/\buseTexts\(([^)]*)\)/g)
  const welcome = groupsIn(/\buseTextsIfGiven\(([^)]*)\)/g)
  expect(needs).toEqual(expect.arrayContaining(used))
  expect([...used, ...welcome]).toEqual(expect.arrayContaining(needs))
})
