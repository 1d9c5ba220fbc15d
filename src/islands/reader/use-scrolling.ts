import { useStore } from '@nanostores/react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type PageOrder, pageAt, type ReaderLayout, type Shape } from '../../rules/reader.ts'
import { $page, $zoom, goToPage } from '../../stores/reader/view.ts'
import { cellOf, type StageElements } from './stage-elements.ts'

interface Options {
  layout: ReaderLayout
  order: PageOrder
  count: number
  screen: Shape | null
}

/** Keeps the page that is read and the place that is scrolled to the same; returns the pages on the screen. */
export function useScrolling(
  { stage: stageRef }: StageElements,
  { layout, order, count, screen }: Options,
): { from: number; to: number } {
  const page = useStore($page)
  const zoom = useStore($zoom)
  const starts = useRef<number[]>([])
  const [range, setRange] = useState({ from: page, to: page })
  /** The page that was gone to in the column, as long as nobody scrolls: several may be on the screen. */
  const sought = useRef({ page: 0, top: -1 })

  /** The page that is read, in the middle of the screen, and those that are on it at all. */
  const look = useCallback(
    (stage: HTMLElement) => {
      if (layout === 'single') {
        const at = Math.round(Math.abs(stage.scrollLeft) / stage.clientWidth) + 1
        return { at, from: at, to: at }
      }
      const { scrollTop, clientHeight, scrollHeight } = stage
      const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2
      const isAtStart = scrollTop < 2
      const middle = pageAt(starts.current, scrollTop + clientHeight / 2)
      const isThere = sought.current.top === scrollTop
      return {
        at: isThere ? sought.current.page : isAtEnd ? count : isAtStart ? 1 : middle,
        from: pageAt(starts.current, scrollTop),
        to: pageAt(starts.current, scrollTop + clientHeight),
      }
    },
    [layout, count],
  )

  const goThere = useCallback(
    (stage: HTMLElement, to: number) => {
      if (layout === 'single') {
        const along = (to - 1) * stage.clientWidth
        stage.scrollTo({ left: order === 'rtl' ? -along : along, behavior: 'instant' })
        const cell = cellOf(stage, to)
        // A zoomed page is read from where its lines begin.
        cell?.scrollTo({ top: 0, left: order === 'rtl' ? cell.scrollWidth : 0 })
      } else {
        stage.scrollTo({ top: starts.current[to - 1] ?? 0, behavior: 'instant' })
        sought.current = { page: to, top: stage.scrollTop }
      }
    },
    [layout, order],
  )

  // What is larger or smaller now begins elsewhere; the page that is read stays.
  const known = useRef({ layout, screen })
  // biome-ignore lint/correctness/useExhaustiveDependencies: zoomed pages begin elsewhere
  useLayoutEffect(() => {
    const stage = stageRef.current
    if (!stage || !screen) return
    const cells = [...stage.querySelectorAll<HTMLElement>('[data-page]')]
    // From the first one on, which stands below the bar: gone to, each page does.
    starts.current = cells.map((cell) => cell.offsetTop - (cells[0]?.offsetTop ?? 0))
    const isMoved = known.current.layout !== layout || known.current.screen !== screen
    known.current = { layout, screen }
    if (isMoved) goThere(stage, $page.get())
  }, [stageRef, layout, screen, zoom, goThere])

  useLayoutEffect(() => {
    const stage = stageRef.current
    if (!stage || !screen) return
    if (look(stage).at !== page) goThere(stage, page)
    const { from, to } = look(stage)
    setRange((shown) => (shown.from === from && shown.to === to ? shown : { from, to }))
  }, [stageRef, page, screen, look, goThere])

  useEffect(() => {
    const stage = stageRef.current
    if (!stage || !screen) return
    let frame = 0
    const follow = () => {
      frame = 0
      // Between a change of the window's size and the drawing of its pages nothing is where it belongs.
      if (stage.clientWidth !== screen.width) return
      if (stage.scrollTop !== sought.current.top) sought.current.top = -1
      const { at, from, to } = look(stage)
      setRange((shown) => (shown.from === from && shown.to === to ? shown : { from, to }))
      goToPage(at, count)
    }
    const onScroll = ({ target }: Event) => {
      if (target === stage) frame ||= requestAnimationFrame(follow)
    }
    stage.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      stage.removeEventListener('scroll', onScroll)
      cancelAnimationFrame(frame)
    }
  }, [stageRef, screen, count, look])

  return range
}
