import { atom, readonlyType } from 'nanostores'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import type { ReadingProblem } from '../shared/reading-problem.ts'
import { $lastRead } from '../user-data/user-data.ts'

/** A document to read; only some pages know its type. */
export interface Readable {
  documentId: number
  title: string
  fileType?: string
}

export type Preview = Readable &
  (
    | { phase: 'loading' }
    /** In the reader or, if that does not open, as the plain pages at this address. */
    | { phase: 'shown'; address: string; isPlain: boolean }
    | { phase: 'failed'; problem: ReadingProblem }
  )

const $open = atom<Preview | null>(null)
/** The document in the preview modal. */
export const $preview = readonlyType($open)

/** Opens the preview modal and requests the signed address of the frame. */
export async function openPreview({ documentId, title }: Readable): Promise<void> {
  const document = { documentId, title }
  const requested: Preview = { ...document, phase: 'loading' }
  $open.set(requested)
  const answer = await askForPreview(documentId)
  // The modal was closed or shows another document, so the answer is obsolete.
  if ($open.get() !== requested) return
  $open.set({ ...document, ...answer })
  if (answer.phase === 'shown') $lastRead.set(documentId)
}

async function askForPreview(documentId: number) {
  const userId = $session.get()?.userId
  if (userId === undefined) return failed('not_logged_in')
  try {
    const path = await ask(({ library }) => library.downloadDocument, {
      params: { id: documentId, userId },
      query: { preview: 'true', t: String(Date.now()) },
    })
    const address = frameAddress(path)
    return address === null
      ? failed('preview_empty')
      : { phase: 'shown' as const, address, isPlain: false }
  } catch {
    return failed('preview_failed')
  }
}

const failed = (problem: ReadingProblem) => ({ phase: 'failed' as const, problem })

/** Joins the relative path of the answer to the API's URL; it cannot lead to another host. */
function frameAddress(path: unknown): string | null {
  const text = typeof path === 'string' ? path.trim() : ''
  return text === '' ? null : `/api/${text.replace(/^[/\\]+/, '')}`
}

/**
 * Called when the frame could not show the document. Falls back to the plain pages, since some
 * backends have nothing else.
 */
export function previewNotLoaded(): void {
  const preview = $open.get()
  if (preview?.phase !== 'shown') return
  if (preview.isPlain) $open.set({ ...preview, ...failed('preview_not_loaded') })
  else $open.set({ ...preview, isPlain: true })
}

export function closePreview(): void {
  $open.set(null)
}
