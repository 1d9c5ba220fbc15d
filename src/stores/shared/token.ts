import { readonlyType } from 'nanostores'
import { TOKEN_KEY } from '../../rules/storage-keys.ts'
import { readToken } from '../../rules/token.ts'
import { persistedText } from './persistence.ts'
import { serverNow } from './server-clock.ts'

const $saved = persistedText(TOKEN_KEY)

/**
 * The bearer token as the server gave it, '' without one. Only `$session` knows whether it is
 * valid.
 */
export const $token = readonlyType($saved)

export function keepToken(token: string): void {
  $saved.set(token)
}

/** The token for a call; '' if there is none. An invalid token is removed. */
export function tokenToSend(): string {
  const token = $saved.get()
  if (!token || readToken(token, serverNow())) return token
  dropToken(token)
  return ''
}

/** Removes the token; with an argument only that one, since another may have replaced it. */
export function dropToken(token?: string): void {
  if (token === undefined || token === $saved.get()) $saved.set('')
}
