import type { Wait } from '../../contract/corrections.ts'
import { createLoader } from '../session/loader.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'

export type { Wait } from '../../contract/corrections.ts'

const loader = createLoader<readonly Wait[]>('waits for corrections')
/** The papers for whose correction the account waits. */
export const $waits = loader.$state

export const loadWaits = (): Promise<void> =>
  loader.load(() => ask(({ corrections }) => corrections.listWaits, {}))

/** Rejects if the wait goes on. */
export async function endWait(id: number): Promise<void> {
  const userId = $session.get()?.userId
  await ask(({ corrections }) => corrections.stopWaiting, { params: { id } })
  const state = $waits.get()
  if (state.phase !== 'ready' || $session.get()?.userId !== userId) return
  loader.show(state.value.filter((wait) => wait.id !== id))
}
