import { SECOND_MS } from '../../../rules/durations.ts'
import { reasonOf as withoutAddresses } from '../../carriers/carriers.ts'
import { codeOf } from '../../database/start-error.ts'

/** The result of one check; `advice` says that something is wrong and how to mend it. */
export interface Finding {
  readonly check: string
  readonly found: string
  readonly advice?: string
}

export const sound = (check: string, found: string): Finding => ({ check, found })
export const wrong = (check: string, found: string, advice: string): Finding => ({
  check,
  found,
  advice,
})

/** How long anything on the network may take to answer. */
export const ANSWER_LIMIT_MS = 10 * SECOND_MS

/** The result of `work`, which gets a signal that aborts after `limitMs`; rejects then. */
export async function inTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  limitMs = ANSWER_LIMIT_MS,
): Promise<T> {
  const limit = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`no answer in ${limitMs / SECOND_MS} s`)
    reject(error)
    limit.abort(error)
  }, limitMs)
  try {
    return await Promise.race([work(limit.signal), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The findings of `work`; if it fails, that this could not be examined, and why. The advice may
 * depend on the reason.
 */
export async function attempt(
  check: string,
  advice: string | ((reason: string) => string),
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work()
  } catch (error) {
    const reason = reasonOf(error)
    return [wrong(check, reason, typeof advice === 'string' ? advice : advice(reason))]
  }
}

/** Why something failed, as a part of a line. `fetch` hides the reason in its error's cause. */
export function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  const inner = error instanceof TypeError && cause instanceof Error ? cause : error
  // The common error of several addresses has no message.
  const message = inner instanceof Error ? inner.message : String(inner)
  const [line = ''] = (message || codeOf(inner) || 'no reason given').split('\n')
  return withoutAddresses(line.trim()).replace(/\.$/, '')
}
