/** Why a preview or download failed; each problem has a sentence of its own. */
export type ReadingProblem =
  | 'not_logged_in'
  | 'preview_failed'
  | 'preview_not_loaded'
  | 'preview_empty'
  | 'download_failed'
  | 'download_forbidden'
  | 'download_not_found'
  | 'download_server_error'
  | 'download_file_missing'
