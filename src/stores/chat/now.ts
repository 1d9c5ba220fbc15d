import { atom, onMount } from 'nanostores'
import { MINUTE_MS } from '../../rules/durations.ts'

/** The current time in ms since 1970, as exact as relative times need it. */
export const $now = atom(Date.now())
onMount($now, () => {
  $now.set(Date.now())
  const timer = setInterval(() => $now.set(Date.now()), MINUTE_MS / 4)
  return () => clearInterval(timer)
})
