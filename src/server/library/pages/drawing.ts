import type { Deps } from '../../deps.ts'
import { picturesIn } from './pictures.ts'
import { createRenderer } from './renderer.ts'

export type Drawing = ReturnType<typeof open>

const drawings = new WeakMap<Deps, Drawing>()

/**
 * The renderer for pages that users wait for, with one thread for the whole server; `close` it with
 * the server.
 */
export function drawingOf(deps: Deps): Drawing {
  const drawing = drawings.get(deps) ?? open(deps)
  drawings.set(deps, drawing)
  return drawing
}

function open(deps: Deps) {
  const renderer = createRenderer()
  const pictures = picturesIn(deps.config.dataDir, deps.files, renderer)
  return { ...pictures, close: () => renderer.close() }
}
