import { type RefObject, startTransition, useEffect, useRef, useState } from 'react'

/** How many items the first screen needs, and how many are added when the end comes near. */
const FIRST = 12
const MORE = 12

/** Far enough below the screen that there is always something to scroll to. */
const AHEAD = '100%'

/**
 * Renders a long list in parts: its beginning at once, more as the user scrolls, and only the
 * beginning again when `resetKey` changes. `box` is the element whose children are the items.
 */
export function useInParts<Item, Box extends Element>(
  list: readonly Item[],
  resetKey: unknown,
): { items: readonly Item[]; box: RefObject<Box | null> } {
  const box = useRef<Box>(null)
  const [part, setPart] = useState({ resetKey, count: FIRST })
  const count = part.resetKey === resetKey ? part.count : FIRST
  useEffect(() => {
    const last = box.current?.lastElementChild
    if (count >= list.length || !last) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        startTransition(() => setPart({ resetKey, count: count + MORE }))
      },
      { rootMargin: AHEAD },
    )
    observer.observe(last)
    return () => observer.disconnect()
  }, [list, resetKey, count])
  return { items: list.slice(0, count), box }
}
