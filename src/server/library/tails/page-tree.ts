import { PdfDict, PdfRef } from '@libpdf/core'

/** Returns an object, or the one that it refers to; null if there is none. */
export type Resolve = (object: unknown) => unknown

/** How deep a tree of pages may be. */
const DEPTH_MAX = 64

/** An attribute of a page, or of the nearest node above it that has it. */
export function inherited(page: PdfDict, name: string, resolve: Resolve): unknown {
  let node: unknown = page
  for (let depth = 0; depth < DEPTH_MAX && node instanceof PdfDict; depth++) {
    const found = resolve(node.get(name) ?? null)
    if (found !== null) return found
    node = resolve(node.get('Parent') ?? null)
  }
  return null
}

/** Returns a function that resolves references with `lookUp`. */
export function resolver(lookUp: (ref: PdfRef) => unknown): Resolve {
  return (object) => {
    let found: unknown = object ?? null
    for (let steps = 0; found instanceof PdfRef && steps < DEPTH_MAX; steps++) {
      found = lookUp(found) ?? null
    }
    return found instanceof PdfRef || (found as { type?: string } | null)?.type === 'null'
      ? null
      : found
  }
}
