import type { Deps } from '../../deps.ts'
import { changeSetting, readSetting } from '../../money/money.ts'

/** Whether bought PDFs are delivered with a footer. */
export async function isStamping({ database }: Pick<Deps, 'database'>): Promise<boolean> {
  return (await readSetting(database.kysely, 'stamp')) === 1
}

/**
 * Switches the footer on or off, for later downloads. Throws `done_before` if it was switched after
 * the change `seen`; callers that show no change leave that out.
 */
export function switchStamping(
  deps: Pick<Deps, 'database' | 'now'>,
  { isOn, ...change }: { isOn: boolean; actor: string; seen?: number | null },
): Promise<void> {
  return changeSetting(deps, { name: 'stamp', value: isOn ? 1 : 0, ...change })
}
