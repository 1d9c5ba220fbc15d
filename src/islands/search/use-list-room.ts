import { type RefObject, useEffect, useLayoutEffect } from 'react'

/** The gap between the list and the edge of the screen or the keyboard (px). */
const MARGIN_PX = 8
/** The least height of the list: two suggestions (px). */
const MIN_HEIGHT_PX = 96
/** A shorter scroll comes from the browser, which moves the box into view (px). */
const DELIBERATE_SCROLL_PX = 8

/**
 * Keeps an open list above a phone's keyboard, and closes it when the visitor scrolls the page.
 * `shown` is any value that changes with the list.
 */
export function useListRoom(
  list: RefObject<HTMLElement | null>,
  isOpen: boolean,
  shown: unknown,
  close: () => void,
): void {
  useLayoutEffect(() => {
    const element = list.current
    const view = window.visualViewport
    if (!isOpen || !element || !view || !shown) return
    const bound = () => {
      const top = element.getBoundingClientRect().top - view.offsetTop
      element.style.maxBlockSize = `${Math.max(MIN_HEIGHT_PX, view.height - top - MARGIN_PX)}px`
    }
    bound()
    view.addEventListener('resize', bound)
    return () => view.removeEventListener('resize', bound)
  }, [list, isOpen, shown])

  useEffect(() => {
    if (!isOpen || !shown) return
    const from = scrollY
    const onScroll = () => {
      if (Math.abs(scrollY - from) > DELIBERATE_SCROLL_PX) close()
    }
    document.addEventListener('scroll', onScroll, { passive: true })
    return () => document.removeEventListener('scroll', onScroll)
  }, [isOpen, shown, close])
}
