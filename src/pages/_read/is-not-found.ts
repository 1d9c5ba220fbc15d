/**
 * Whether a call failed because the requested thing does not exist. Checks the status and not the
 * class, since pages are compiled separately from the server and have their own `ApiError`.
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404
}
