import type { Result } from '../../contract/call.ts'
import type { getStaff } from '../../contract/office-access.ts'
import * as officeAccess from '../../contract/office-access.ts'
import { api, ask } from './backend.ts'
import { forgetAllKept } from './kept.ts'
import { createLoader } from './loader.ts'
import { $officeSession, dropOfficeToken, officeToken } from './session.ts'
import { forgetAllUploads } from './upload-memory.ts'

/** The logged-in staff member, as the server knows them. */
export type Staff = Result<typeof getStaff>

const reading = createLoader<Staff>('staff')

/** The logged-in staff member, once `loadStaff` has loaded it. */
export const $staff = reading.$state

/** Loads the logged-in staff member, once per page. */
export async function loadStaff(): Promise<void> {
  const { phase } = $staff.get()
  if (phase === 'loading' || phase === 'ready') return
  await reading.load(() => ask(officeAccess.getStaff, {}))
}

let isLeaving = false

/** Whether the user has logged out on this page, which then leads to the log-in without a way back. */
export const hasLoggedOut = () => isLeaving

/**
 * Ends the session in every tab, deletes unsaved input and chosen files in this browser, and tells the
 * server. The promise resolves once that call is on its way or cannot be sent; nothing waits for its
 * answer.
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
