import { readonlyType } from 'nanostores'
import { TOKEN_KEY } from '../../rules/storage-keys.ts'
import { readToken } from '../../rules/token.ts'
import { persistedText } from '../shared/persistence.ts'

const $saved = persistedText(TOKEN_KEY)

/** The bearer token as the server gave it, '' when there is none. Only `$session` says if it is good. */
export const $token = readonlyType($saved)

/** Keeps a token; every tab of this browser has it from now on. */
export function keepToken(token: string): void {
  $saved.set(token)
}

/** The token for a call; '' where there is none, and where it is good for nothing and goes. */
export function tokenToSend(): string {
  const token = $saved.get()
  if (!token || readToken(token, Date.now())) return token
  dropToken(token)
  return ''
}

/** Forgets the token, or only this one where it is named: another may have taken its place. */
export function dropToken(token?: string): void {
  if (token === undefined || token === $saved.get()) $saved.set('')
}
