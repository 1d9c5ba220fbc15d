/** Why a document is not shown; each problem has its own message. */
export type ReaderProblem =
  | 'not_logged_in'
  | 'not_bought'
  | 'not_found'
  | 'unreadable'
  | 'offline'
  | 'busy'
  | 'failed'

/** The reader's problem for a failed call. */
export function problemKind({ status, code }: { status: number; code: string }): ReaderProblem {
  if (status === 0) return 'offline'
  if (status === 401) return 'not_logged_in'
  if (status === 403) return 'not_bought'
  if (status === 404) return 'not_found'
  if (status === 429 || status === 503) return 'busy'
  return code === 'document_unreadable' ? 'unreadable' : 'failed'
}
