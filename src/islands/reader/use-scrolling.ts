import { useStore } from '@nanostores/react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type PageOrder, pageAt, type ReaderLayout, type Shape } from '../../rules/reader.ts'
import { $page, $zoom, goToPage } from '../../stores/reader/view.ts'
import { cellOf, type StageElements } from './use-zoom.ts'

interface Options {
  layout: ReaderLayout
  order: PageOrder
  count: number
  screen: Shape | null
}

/** Synchronises the current page with the scroll position; returns the visible pages. */
export function useScrolling(
  { stage: stageRef }: StageElements,
  { layout, order, count, screen }: Options,
): { from: number; to: number } {
  const page = useStore($page)
  const zoom = useStore($zoom)
  const starts = useRef<number[]>([])
  const [range, setRange] = useState({ from: page, to: page })
  /** The page opened in the column, where several are visible, until the user scrolls. */
  const target = useRef({ page: 0, top: -1 })

  /** The current page (`at`), in the middle of the screen, and the range of visible pages. */
  const locate = useCallback(
    (stage: HTMLElement) => {
      if (layout === 'single') {
        const at = Math.round(Math.abs(stage.scrollLeft) / stage.clientWidth) + 1
        return { at, from: at, to: at }
      }
      const { scrollTop, clientHeight, scrollHeight } = stage
      const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2
      const isAtStart = scrollTop < 2
      const middle = pageAt(starts.current, scrollTop + clientHeight / 2)
      const isAtTarget = target.current.top === scrollTop
      return {
        at: isAtTarget ? target.current.page : isAtEnd ? count : isAtStart ? 1 : middle,
        from: pageAt(starts.current, scrollTop),
        to: pageAt(starts.current, scrollTop + clientHeight),
      }
    },
    [layout, count],
  )

  const scrollToPage = useCallback(
    (stage: HTMLElement, to: number) => {
      if (layout === 'single') {
        const along = (to - 1) * stage.clientWidth
        stage.scrollTo({ left: order === 'rtl' ? -along : along, behavior: 'instant' })
        const cell = cellOf(stage, to)
        // Starts a zoomed page at the beginning of its lines.
        cell?.scrollTo({ top: 0, left: order === 'rtl' ? cell.scrollWidth : 0 })
      } else {
        stage.scrollTo({ top: starts.current[to - 1] ?? 0, behavior: 'instant' })
        target.current = { page: to, top: stage.scrollTop }
      }
    },
    [layout, order],
  )

  // After a change of size, pages start at other positions, but the current page must stay.
  const known = useRef({ layout, screen })
  // biome-ignore lint/correctness/useExhaustiveDependencies: zooming changes where pages start
  useLayoutEffect(() => {
    const stage = stageRef.current
    if (!stage || !screen) return
    const cells = [...stage.querySelectorAll<HTMLElement>('[data-page]')]
    // Relative to the first page, which starts below the bar, so that every page does after a jump.
    starts.current = cells.map((cell) => cell.offsetTop - (cells[0]?.offsetTop ?? 0))
    const isMoved = known.current.layout !== layout || known.current.screen !== screen
    known.current = { layout, screen }
    if (isMoved) scrollToPage(stage, $page.get())
  }, [stageRef, layout, screen, zoom, scrollToPage])

  useLayoutEffect(() => {
    const stage = stageRef.current
    if (!stage || !screen) return
    if (locate(stage).at !== page) scrollToPage(stage, page)
    const { from, to } = locate(stage)
    setRange((shown) => (shown.from === from && shown.to === to ? shown : { from, to }))
  }, [stageRef, page, screen, locate, scrollToPage])

  useEffect(() => {
    const stage = stageRef.current
    if (!stage || !screen) return
    let frame = 0
    const follow = () => {
      frame = 0
      // Positions are wrong between a resize of the window and the next rendering of the pages.
      if (stage.clientWidth !== screen.width) return
      if (stage.scrollTop !== target.current.top) target.current.top = -1
      const { at, from, to } = locate(stage)
      setRange((shown) => (shown.from === from && shown.to === to ? shown : { from, to }))
      goToPage(at, count)
    }
    const onScroll = (event: Event) => {
      if (event.target === stage) frame ||= requestAnimationFrame(follow)
    }
    stage.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      stage.removeEventListener('scroll', onScroll)
      cancelAnimationFrame(frame)
    }
  }, [stageRef, screen, count, locate])

  return range
}
