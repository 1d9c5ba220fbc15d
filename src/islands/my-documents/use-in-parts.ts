import { type RefObject, startTransition, useEffect, useRef, useState } from 'react'

/** What the first screen needs, and how much more each time that its end comes near. */
const FIRST = 12
const MORE = 12

/** Far enough below the screen that there is always something to scroll to. */
const AHEAD = '100%'

/**
 * A long list in parts: its beginning at once, more as one scrolls, and its beginning again when it is
 * `about` something else. `box` is the element whose children the items are.
 */
export function useInParts<Item, Box extends Element>(
  list: readonly Item[],
  about: unknown,
): { items: readonly Item[]; box: RefObject<Box | null> } {
  const box = useRef<Box>(null)
  const [part, setPart] = useState({ about, count: FIRST })
  const count = part.about === about ? part.count : FIRST
  useEffect(() => {
    const last = box.current?.lastElementChild
    if (count >= list.length || !last) return
    const watching = new IntersectionObserver(
      ([seen]) => {
        if (!seen?.isIntersecting) return
        watching.disconnect()
        startTransition(() => setPart({ about, count: count + MORE }))
      },
      { rootMargin: AHEAD },
    )
    watching.observe(last)
    return () => watching.disconnect()
  }, [list, about, count])
  return { items: list.slice(0, count), box }
}
