import { setImmediate } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Find } from '../../../contract/reading.ts'
import { FINDS_MAX, finderOf } from '../../../rules/find-in-text.ts'
import { createTurns } from '../../concurrency/turns.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { drawingOf } from '../pages/drawing.ts'
import { hasWords } from '../pages/pictures.ts'
import { boughtFile } from './bought-file.ts'
import { faultOf } from './drawing-faults.ts'

/**
 * A page takes about a millisecond, a document up to some seconds, so few documents are searched at
 * a time.
 */
const turns = createTurns(2, { waiting: 50, refusal: () => fault('unavailable') })

/** Finds a text in a bought document, page by page. Throws as `openReading` does. */
export async function findInDocument(
  deps: Deps,
  of: { readonly documentId: number; readonly userId: number; readonly wanted: string },
  log: FastifyBaseLogger,
): Promise<{ hasText: boolean; finds: Find[]; hasMore: boolean }> {
  const file = await boughtFile(deps, of)
  const texts = await drawingOf(deps)
    .texts(file)
    .catch((error: unknown) => {
      throw faultOf(error, log, 'document_unreadable')
    })
  const find = finderOf(of.wanted)
  const finds = find ? await turns.take(() => findInPages(texts, find)) : []
  return {
    hasText: texts.some(hasWords),
    finds: finds.slice(0, FINDS_MAX),
    hasMore: finds.length > FINDS_MAX,
  }
}

async function findInPages(
  texts: readonly string[],
  find: NonNullable<ReturnType<typeof finderOf>>,
): Promise<Find[]> {
  const finds: Find[] = []
  for (const [at, text] of texts.entries()) {
    finds.push(...find(text).map((found) => ({ page: at + 1, ...found })))
    if (finds.length > FINDS_MAX) break
    // Lets other requests run between pages.
    await setImmediate()
  }
  return finds
}
