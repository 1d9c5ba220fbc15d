/** What a reading gave, or that it failed; a page with a failed part still renders. */
export type Settled<T> = { ok: true; value: T } | { ok: false }

/** Waits for a reading and logs its failure instead of throwing (section 8: "only logged"). */
export async function settled<T>(reading: Promise<T>): Promise<Settled<T>> {
  try {
    return { ok: true, value: await reading }
  } catch (error) {
    console.error('a part of a page could not be read:', error)
    return { ok: false }
  }
}
