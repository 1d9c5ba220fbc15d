import { isNotFound } from './is-not-found.ts'

/**
 * Waits for a part of a page; null if it cannot be read. The failure is only logged, so that the
 * rest of the page still renders; a part that another backend does not have is no failure.
 */
export async function settled<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (!isNotFound(error)) console.error('a part of a page could not be read:', error)
    return null
  }
}
