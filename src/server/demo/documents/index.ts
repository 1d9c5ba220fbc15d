import type { DemoDocument } from './demo-document.ts'
import { HIGH } from './high.ts'
import { MIDDLE } from './middle.ts'
import { PREPARATORY } from './preparatory.ts'
import { PRIMARY } from './primary.ts'

/** All documents of the demo shop, oldest first; ids are the places in this list, from 1. */
export const DEMO_DOCUMENTS: readonly DemoDocument[] = mixed([PRIMARY, MIDDLE, HIGH, PREPARATORY])

/** One of each in turn, so that the newest ones are of all levels. */
function mixed(lists: readonly (readonly DemoDocument[])[]): DemoDocument[] {
  const longest = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat()
}
