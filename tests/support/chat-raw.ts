import { MINUTE_MS } from '../../src/rules/durations.ts'
import { ALLOWANCES } from '../../src/server/http/rate-limits.ts'
import type { RawSocket } from './chat.ts'

export const allowances = {
  ...ALLOWANCES,
  chatMessagesOfUser: { max: 10_000, windowMs: MINUTE_MS },
}

/** How the session ends: the code of its ERROR and the code of its close. */
export async function endOf(raw: RawSocket): Promise<[string | undefined, number]> {
  const frame = await raw.take('ERROR')
  return [/^message:(.*)$/m.exec(frame)?.[1], await raw.closed]
}
