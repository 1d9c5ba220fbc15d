import { atom, onMount } from 'nanostores'
import { MINUTE_MS } from '../../rules/durations.ts'
import { serverNow } from '../shared/server-clock.ts'

/** The current time by the server's clock in ms since 1970, as exact as relative times need it. */
export const $now = atom(serverNow())
onMount($now, () => {
  $now.set(serverNow())
  const timer = setInterval(() => $now.set(serverNow()), MINUTE_MS / 4)
  return () => clearInterval(timer)
})
