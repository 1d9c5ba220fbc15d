import { DRAFT_PREFIX } from '../../rules/storage-keys.ts'
import { handDraftsOver } from '../shared/persistence.ts'
import { $token, dropToken, keepToken } from '../shared/token.ts'
import { forgetChat } from '../user-data/forget-chat.ts'
import { forgetKeptCart } from '../user-data/kept-cart.ts'
import { noteLogIn } from '../user-data/phone.ts'
import { forgetUserData } from '../user-data/user-data.ts'
import { $session, readSession } from './session.ts'

/** Starts a session with a customer's token, after deleting all data of an earlier user. */
export function startSession(token: string): void {
  forgetUserData()
  const userId = readSession(token)?.userId
  forgetChat(userId)
  handDraftsOver(DRAFT_PREFIX, userId)
  noteLogIn(userId)
  keepToken(token)
}

let isLeaving = false

/**
 * Whether the user has logged out on this page, which then goes to the home page, not to the
 * log-in.
 */
export const hasLoggedOut = () => isLeaving

/**
 * Ends the session in every tab and notifies the server. Resolves once that call was sent or has
 * failed; nothing waits for its answer.
 */
export async function logOut(): Promise<void> {
  const token = $token.get()
  if (!token) return
  isLeaving = true
  const isSent = tellServer(token)
  $session.get() // mounts the session, so that its end is noticed
  dropToken()
  forgetChat()
  handDraftsOver(DRAFT_PREFIX)
  forgetKeptCart()
  await isSent.catch(() => undefined)
}

async function tellServer(token: string): Promise<void> {
  // Only now, since without a network this fails, and the session of this browser ends all the same.
  const backend = await import('../shared/backend.ts')
  const { api, accounts } = await backend.connect()
  api(accounts.logOut, {}, { token }).catch(() => undefined) // the token expires by itself
}
