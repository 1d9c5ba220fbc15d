import { useCallback, useSyncExternalStore } from 'react'

const onServer = () => false

/** Whether the window matches a media query; false while the server renders. */
export function useMedia(query: string): boolean {
  const watch = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(watch, () => matchMedia(query).matches, onServer)
}
