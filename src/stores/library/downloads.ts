import {
  downloadName,
  isInsideAnApp,
  outsideAddress,
  PREPARATION_TRIES,
  PREPARATION_WAIT_MS,
} from '../../rules/downloads.ts'
import type { Language } from '../../rules/languages.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { downloadFrom, saveFile } from '../shared/browser.ts'
import { lacks } from '../shared/features.ts'
import { type Problem, problemOf, type ReadingProblem, Refusal } from '../shared/problem.ts'
import { pause } from '../shared/queue.ts'
import type { Readable } from './reading.ts'

/** Where a download was started; the two pages word the server's failures differently. */
export type ReadingPlace = 'details' | 'library'

/** Why a download did not start; each problem has a sentence of its own. */
type DownloadProblem =
  | Extract<ReadingProblem, 'not_logged_in' | `download_${string}`>
  | 'download_gone'

/** The result of a press on a download button. */
export type DownloadOutcome<P = DownloadProblem> =
  /** The browser has it now, and shows how far it is. */
  | { phase: 'started' }
  /** This browser, inside another app, saves no files; the address opens in the phone's own. */
  | { phase: 'outside'; address: string }
  | { phase: 'failed'; problem: P }

/** A document in its current version, or in an earlier one that is still offered. */
interface Wanted extends Readable {
  version?: number | undefined
}

/** Has the browser download a bought file. */
export async function download(
  wanted: Wanted,
  place: ReadingPlace,
  locale: Language,
): Promise<DownloadOutcome> {
  const userId = $session.get()?.userId
  if (userId === undefined) return { phase: 'failed', problem: 'not_logged_in' }
  try {
    // Another backend has only the specification's call, which needs the token.
    const isLinked = !lacks('downloads')
    const path = isLinked ? await linkTo(wanted, locale) : location.pathname
    const outside = outsideOf(path)
    if (outside) return outside
    if (isLinked) downloadFrom(path)
    else await saveWhole(wanted, userId)
    return { phase: 'started' }
  } catch (error) {
    return { phase: 'failed', problem: problemIn(error, place) }
  }
}

/** The signed address of a file; waits while the shop prepares it. */
async function linkTo({ documentId, version }: Wanted, locale: Language): Promise<string> {
  const { fileLink } = await import('../../contract/download-links.ts')
  const input = { params: { id: documentId }, body: { locale, ...(version && { version }) } }
  for (let tries = 0; ; tries++) {
    try {
      const { path } = await ask(() => fileLink, input)
      return ownPath(path, 'file')
    } catch (error) {
      if (problemOf(error).status !== 503 || tries === PREPARATION_TRIES) throw error
      await pause(PREPARATION_WAIT_MS)
    }
  }
}

const PATHS = { file: /^\/api\/file\/[\w.-]+$/, archive: /^\/api\/archive\/[\w.-]+$/ }

/** Throws if a path is not that of a download of this site. */
function ownPath(path: string, kind: keyof typeof PATHS): string {
  if (!PATHS[kind].test(path)) throw new Refusal('bad_answer', 200)
  return path
}

function outsideOf(path: string) {
  const { userAgent, standalone } = navigator as Navigator & { standalone?: boolean }
  if (!isInsideAnApp(userAgent, standalone === true)) return null
  const address = outsideAddress(new URL(path, location.href), userAgent)
  return { phase: 'outside' as const, address }
}

async function saveWhole({ documentId, title, fileType }: Wanted, userId: number): Promise<void> {
  const file: unknown = await ask(({ library }) => library.downloadDocument, {
    params: { id: documentId, userId },
    query: { t: String(Date.now()) },
  })
  if (!(file instanceof Blob) || file.size === 0) throw new Refusal('bad_answer', 200)
  saveFile(file, downloadName(title, fileType ?? file.type).utf8)
}

function problemIn(error: unknown, place: ReadingPlace): DownloadProblem {
  const { status } = problemOf(error)
  if (status === 410) return 'download_gone'
  const isShopsFault = status >= 500
  if (place === 'details') return isShopsFault ? 'download_file_missing' : 'download_failed'
  if (status === 403) return 'download_forbidden'
  if (status === 404) return 'download_not_found'
  return isShopsFault ? 'download_server_error' : 'download_failed'
}

/**
 * Has the browser download a ZIP of these documents, or of all that the user bought if null. It
 * navigates there, so that a refusal of the signed address is a page.
 */
export async function downloadZip(
  locale: Language,
  documentIds: number[] | null,
): Promise<DownloadOutcome<Problem>> {
  try {
    const { zipLink } = await import('../../contract/download-links.ts')
    const body = { locale, ...(documentIds && { documentIds }) }
    const { path } = await ask(() => zipLink, { body })
    const own = ownPath(path, 'archive')
    const outside = outsideOf(own)
    if (outside) return outside
    location.assign(own)
    return { phase: 'started' }
  } catch (error) {
    return { phase: 'failed', problem: problemOf(error) }
  }
}
