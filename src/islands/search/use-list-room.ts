import { type RefObject, useEffect, useLayoutEffect } from 'react'

/** What stays free between the list and the edge of the screen, or its keyboard (px). */
const MARGIN_PX = 8
/** Never less than two suggestions high (px). */
const LEAST_PX = 96
/** A scroll of less than this is the browser bringing the box into view (px). */
const MEANT_SCROLL_PX = 8

/**
 * Keeps an open list above the keyboard of a phone, and closes it when the page is scrolled.
 * `shown` is whatever changes when the list does.
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
      element.style.maxBlockSize = `${Math.max(LEAST_PX, view.height - top - MARGIN_PX)}px`
    }
    bound()
    view.addEventListener('resize', bound)
    return () => view.removeEventListener('resize', bound)
  }, [list, isOpen, shown])

  useEffect(() => {
    if (!isOpen || !shown) return
    const from = scrollY
    const onScroll = () => {
      if (Math.abs(scrollY - from) > MEANT_SCROLL_PX) close()
    }
    document.addEventListener('scroll', onScroll, { passive: true })
    return () => document.removeEventListener('scroll', onScroll)
  }, [isOpen, shown, close])
}
