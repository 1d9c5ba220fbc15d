import type { Result } from '../../../contract/call.ts'
import * as officeWaiting from '../../../contract/office-desk.ts'
import { MINUTE_MS } from '../../../rules/durations.ts'
import { ask } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'

export type Desk = Result<typeof officeWaiting.getWaiting>

export const {
  $state: $desk,
  load: loadDesk,
  refresh: refreshDesk,
} = resource(officeWaiting.getWaiting)

/**
 * Loads the tasks, then reloads them every minute while the page is visible; returns a stop
 * function.
 */
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

export async function sendMailsAgain(): Promise<void> {
  await ask(officeWaiting.sendMailsAgain, {})
  await refreshDesk()
}
