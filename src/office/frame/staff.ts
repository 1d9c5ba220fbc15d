import type { Result } from '../../contract/call.ts'
import type { getStaff } from '../../contract/office-access.ts'
import * as officeAccess from '../../contract/office-access.ts'
import { api, ask } from '../kit/backend.ts'
import { forgetAllUploads } from '../kit/forms/upload-memory.ts'
import { forgetAllKept } from '../kit/kept.ts'
import { createLoader } from '../kit/loader.ts'
import { $officeSession, dropOfficeToken, officeToken } from '../kit/session.ts'

export type Staff = Result<typeof getStaff>

const loader = createLoader<Staff>('staff')

export const $staff = loader.$state

/** Loads the logged-in staff member, once per page. */
export async function loadStaff(): Promise<void> {
  const { phase } = $staff.get()
  if (phase === 'loading' || phase === 'ready') return
  await loader.load(() => ask(officeAccess.getStaff, {}))
}

let loggedOut = false

/** Whether the user has logged out on this page; the log-in then replaces it in the history. */
export const hasLoggedOut = () => loggedOut

/**
 * Ends the session in every tab, deletes unsaved input and chosen files in this browser, and
 * informs the server. The promise resolves once that call has been started or has failed to start,
 * without waiting for the response.
 */
export async function logOutOfOffice(): Promise<void> {
  const token = officeToken()
  if (!token) return
  loggedOut = true
  const sending = import('../../contract/accounts.ts').then(({ logOut }) => {
    api(logOut, {}, { token }).catch(() => undefined) // the token expires anyway
  })
  $officeSession.get() // mounts the store, so that its subscribers notice the end
  dropOfficeToken()
  forgetAllKept()
  forgetAllUploads()
  await sending.catch(() => undefined)
}
