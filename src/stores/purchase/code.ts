import { computed } from 'nanostores'
import type { Result } from '../../contract/call.ts'
import type { quoteCode } from '../../contract/discount-codes.ts'
import { isCode, readCode } from '../../rules/code-text.ts'
import { ask } from '../shared/backend.ts'
import { lacks } from '../shared/features.ts'
import type { ProblemCode } from '../shared/problem.ts'
import { $keptCode } from '../user-data/kept-cart.ts'

/** What documents cost with a code. */
export type CodeQuote = Result<typeof quoteCode>

export interface QuoteRequest {
  code: string
  documentIds: number[]
  /** The bundles of which they are bought. */
  bundleIds?: number[]
}

/** The code that waits for a purchase; '' for none, and where the backend knows no codes. */
export const $code = computed($keptCode, (kept) => {
  const code = readCode(kept)
  return isCode(code) && !lacks('codes') ? code : ''
})

/** Throws an `ApiError`. */
export async function askQuote({ bundleIds = [], ...request }: QuoteRequest): Promise<CodeQuote> {
  const body = { ...request, ...(bundleIds.length > 0 && { bundleIds }) }
  return ask(({ discountCodes }) => discountCodes.quoteCode, { body })
}

/** Whether a code is to be given up. The other refusals end with other documents, a confirmed contact or the hour. */
export const isLasting = (refusal: ProblemCode): boolean =>
  refusal === 'code_unknown' || refusal === 'code_ended' || refusal === 'code_used'

/** Forgets a code that an order has now, unless another one was kept meanwhile. */
export function dropCode(code: string | undefined): void {
  if (code && code === $code.get()) $keptCode.set('')
}
