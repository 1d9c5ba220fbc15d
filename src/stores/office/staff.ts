import { connect } from './backend.ts'
import { forgetAllKept } from './kept.ts'
import { $officeSession, dropOfficeToken, officeToken } from './session.ts'
import { forgetAllUploads } from './upload-memory.ts'

/**
 * Ends the session in every tab, and sends the server a message of it. The promise resolves when that
 * message is on its way, or cannot be sent; its answer is not waited for.
 */
export async function logOutOfOffice(): Promise<void> {
  const token = officeToken()
  if (!token) return
  const isSent = connect().then(({ api, accounts }) => {
    api(accounts.logOut, {}, { token }).catch(() => undefined) // the token ends by itself
  })
  $officeSession.get() // mounts the session, so that its end is noticed
  dropOfficeToken()
  forgetAllKept()
  forgetAllUploads()
  await isSent.catch(() => undefined)
}
