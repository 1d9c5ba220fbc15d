/**
 * How many pages were sent, by where they came from. `refused`: too many had to be rendered, or a
 * browser only prefetched; `missing`: the page about an address without one. Plain numbers, since
 * most pages are in memory and sent within microseconds.
 */
export function noPages() {
  return { memory: 0, disk: 0, rendered: 0, refused: 0, missing: 0 }
}
export type PageCounts = ReturnType<typeof noPages>
