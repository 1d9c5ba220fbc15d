import { SOCKET_PATH, SOCKET_TOKEN } from '../../src/contract/chat.ts'

/** The URL of the live connection, as the site builds it. */
export function socketUrl(origin: string, token: string): string {
  return `${origin.replace(/^http/, 'ws')}${SOCKET_PATH}?${SOCKET_TOKEN}=${encodeURIComponent(token)}`
}
