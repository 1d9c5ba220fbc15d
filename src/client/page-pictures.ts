/** Fetches the picture of a page, or its text; `null` with status 0 where no answer came. Throws only the caller's own abort. */
export async function fetchPicture(
  address: string,
  signal: AbortSignal,
): Promise<{ status: number; bytes: Blob | null }> {
  try {
    const answer = await fetch(address, { credentials: 'omit', signal })
    return { status: answer.status, bytes: answer.ok ? await answer.blob() : null }
  } catch {
    signal.throwIfAborted()
    return { status: 0, bytes: null }
  }
}
