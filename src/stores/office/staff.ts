import type { Result } from '../../contract/call.ts'
import type { getStaff } from '../../contract/office-access.ts'
import * as officeAccess from '../../contract/office-access.ts'
import { api, ask } from './backend.ts'
import { forgetAllKept } from './kept.ts'
import { createLoader } from './loader.ts'
import { $officeSession, dropOfficeToken, officeToken } from './session.ts'
import { forgetAllUploads } from './upload-memory.ts'

/** Who is logged in to the office, as the server knows them. */
export type Staff = Result<typeof getStaff>

const reading = createLoader<Staff>('staff')

/** Who is logged in, once `loadStaff` has read it. */
export const $staff = reading.$state

/** Reads who is logged in, once for a page. */
export async function loadStaff(): Promise<void> {
  const { phase } = $staff.get()
  if (phase === 'loading' || phase === 'ready') return
  await reading.load(() => ask(officeAccess.getStaff, {}))
}

let isLeaving = false

/** Whether somebody has logged out on this page, which then leads to the log-in and back to nowhere. */
export const hasLoggedOut = () => isLeaving

/**
 * Ends the session in every tab, forgets what was typed or chosen in this browser, and sends the server
 * a message of it. The promise resolves when that message is on its way, or cannot be sent; its answer
 * is not waited for.
 */
export async function logOutOfOffice(): Promise<void> {
  const token = officeToken()
  if (!token) return
  isLeaving = true
  const isSent = import('../../contract/accounts.ts').then(({ logOut }) => {
    api(logOut, {}, { token }).catch(() => undefined) // the token ends by itself
  })
  $officeSession.get() // mounts the session, so that its end is noticed
  dropOfficeToken()
  forgetAllKept()
  forgetAllUploads()
  await isSent.catch(() => undefined)
}
