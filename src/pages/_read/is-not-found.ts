/**
 * Whether a call failed because what it asked for does not exist. By its status and not its class:
 * pages are compiled apart from the server, and have an `ApiError` of their own.
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 404
}
