import type { Result } from '../../contract/call.ts'
import * as officeWaiting from '../../contract/office-waiting.ts'
import { MINUTE_MS } from '../../rules/durations.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'

/** What waits for a person of the shop. */
export type Desk = Result<typeof officeWaiting.getWaiting>

const reading = createLoader<Desk>('what waits for the shop')
export const $desk = reading.$state

const read = () => ask(officeWaiting.getWaiting, {})

export const loadDesk = (): Promise<void> => reading.load(read)

/** Reloads it while the old state stays visible. */
export const refreshDesk = (): Promise<void> => reading.refresh(read)

/** Reads what waits, and again every minute while the page is seen; returns what ends that. */
export function watchDesk(): () => void {
  void loadDesk()
  const refresh = () => {
    if (document.visibilityState === 'visible') void refreshDesk()
  }
  const timer = setInterval(refresh, MINUTE_MS)
  document.addEventListener('visibilitychange', refresh)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', refresh)
  }
}

/** Sends every mail that was given up once more. Throws an `ApiError`. */
export async function sendMailsAgain(): Promise<void> {
  await ask(officeWaiting.sendMailsAgain, {})
  await refreshDesk()
}
