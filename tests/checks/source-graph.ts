import path from 'node:path'
import { read, sourceFiles } from './source.ts'

const IMPORT = /(?:from\s+|import\s*\(\s*|import\s+)['"](\.[^'"]+)['"]/g

/** Maps each node to the nodes that it points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The files of `src`, the tests and the scripts, each with the files that it imports, types
 * included.
 */
export function importsOfFiles(): Graph {
  const files = sourceFiles(/^(?:(?:src|tests|scripts)\/.*|[^/]*)\.(?:ts|tsx|astro|mjs)$/)
  return new Map(
    files.map((file) => {
      const targets = [...read(file).matchAll(IMPORT)].map(([, target = '']) =>
        path.join(path.dirname(file), target.replace(/\?.*$/, '')),
      )
      return [file, new Set(targets)]
    }),
  )
}

/** The graph with nodes merged by the name that `nameOf` gives them; unnamed nodes are left out. */
export function grouped(graph: Graph, nameOf: (file: string) => string | undefined): Graph {
  const groups = new Map<string, Set<string>>()
  for (const [file, targets] of graph) {
    const name = nameOf(file)
    if (name === undefined) continue
    const others = groups.get(name) ?? new Set()
    groups.set(name, others)
    for (const target of targets) {
      const other = nameOf(target)
      if (other !== undefined && other !== name) others.add(other)
    }
  }
  return groups
}

/** The strongly connected components with more than one node, each sorted (Tarjan's algorithm). */
export function cyclesOf(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string): number => {
    const index = order.size
    order.set(node, index)
    lowest.set(node, index)
    stack.push(node)
    for (const other of graph.get(node) ?? []) {
      if (!graph.has(other)) continue
      const reach = order.has(other)
        ? stack.includes(other)
          ? (order.get(other) ?? index)
          : index
        : visit(other)
      lowest.set(node, Math.min(lowest.get(node) ?? index, reach))
    }
    const low = lowest.get(node) ?? index
    if (low === index) {
      const members = stack.splice(stack.indexOf(node))
      if (members.length > 1) cycles.push(members.sort())
    }
    return low
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return cycles
}
