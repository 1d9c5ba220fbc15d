import { useSyncExternalStore } from 'react'

const never = () => () => undefined
const yes = () => true
const no = () => false

/** False in the pre-rendered page and in the browser's first rendering, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(never, yes, no)
}
