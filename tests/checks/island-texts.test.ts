import { expect, test } from 'vitest'
import { read } from './source.ts'
import { type Graph, importsOfFiles } from './source-graph.ts'

const ENTRY = /^export default island\(/m
const NEEDS = /\bislandTexts\(([^)]*)\)/g
const GROUP = /\buseTexts\('([^']+)'\)/g

const graph = importsOfFiles()
const islands = [...graph.keys()].filter(
  (file) => file.startsWith('src/islands/') && ENTRY.test(read(file)),
)

/** A file and all that it imports of the islands' room. */
function modulesOf(file: string, files: Graph, seen = new Set<string>()): Set<string> {
  seen.add(file)
  for (const other of files.get(file) ?? []) {
    if (other.startsWith('src/islands/') && !seen.has(other)) modulesOf(other, files, seen)
  }
  return seen
}

// Types hold an island's own components to its needs, not those that several islands share, and a need
// that nobody has any more costs every visitor bytes.
test.each(islands)('%s needs exactly the texts that its components use', (island) => {
  const sources = [...modulesOf(island, graph)].map(read)
  const needs = sources.flatMap((source) =>
    [...source.matchAll(NEEDS)].flatMap(([, groups = '']) =>
      [...groups.matchAll(/'([^']+)'/g)].map(([, group]) => group),
    ),
  )
  const used = sources.flatMap((source) => [...source.matchAll(GROUP)].map(([, group]) => group))
  expect([...new Set(used)].sort()).toEqual(needs.sort())
})
