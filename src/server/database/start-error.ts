/** Something an operator must mend before the shop can start; `message` is one whole line for them. */
export class StartError extends Error {
  override name = 'StartError'
}

/** The first line of a text that is not blank, trimmed; empty when there is none. */
export function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}

/** The code of a system error (`EACCES`), an SQLSTATE (`57P01`), or `undefined`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
