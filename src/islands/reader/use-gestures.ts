import { useEffect } from 'react'
import {
  boundedZoom,
  type PageOrder,
  type ReaderLayout,
  tapAct,
  ZOOM_TAPPED,
} from '../../rules/reader.ts'
import { $page, $zoom, goToPage } from '../../stores/reader/view.ts'
import { type StageElements, scrollerOf, zoomAt } from './use-zoom.ts'

interface Options {
  layout: ReaderLayout
  order: PageOrder
  count: number
  onTap: () => void
}

/** Two taps within this time (ms) and this distance are a double tap. */
const DOUBLE_MS = 280
const DOUBLE_PX = 32
/** A mouse movement from this distance on drags the page. */
const DRAG_PX = 5

/** Taps, double taps, pinches and drags of a zoomed page; the browser handles swipes. */
export function useGestures(
  { stage: stageRef, pages: pagesRef }: StageElements,
  { layout, order, count, onTap }: Options,
): void {
  useEffect(() => {
    const stage = stageRef.current
    const pages = pagesRef.current
    if (!stage || !pages) return

    let last: { at: number; x: number; y: number } | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasDragged = false

    const onClick = ({ target, clientX, clientY }: MouseEvent) => {
      if (hasDragged || (target as Element).closest('button, a')) return
      const box = stage.getBoundingClientRect()
      const turns = layout === 'single' && $zoom.get() === 1
      const turn = turns && tapAct(clientX - box.x, box.width, order)
      if (turn) {
        last = null
        return goToPage($page.get() + (turn === 'next' ? 1 : -1), count)
      }
      const before = last
      last = { at: performance.now(), x: clientX, y: clientY }
      const isSecond =
        before &&
        last.at - before.at < DOUBLE_MS &&
        Math.hypot(clientX - before.x, clientY - before.y) < DOUBLE_PX
      clearTimeout(timer)
      if (isSecond) {
        last = null
        zoomAt(stage, $zoom.get() > 1 ? 1 : ZOOM_TAPPED, { clientX, clientY })
      } else timer = setTimeout(onTap, DOUBLE_MS)
    }

    // A pinch on a touchpad arrives as a wheel event with the control key.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      zoomAt(stage, $zoom.get() * Math.exp(-event.deltaY / 150), event)
    }

    const onPointerDown = ({ pointerType, button, target, clientX, clientY }: PointerEvent) => {
      hasDragged = false
      if (pointerType !== 'mouse' || button !== 0 || (target as Element).closest('button, a'))
        return
      const scroller = scrollerOf(stage, layout, $page.get())
      let from = { x: clientX, y: clientY }
      const onMove = (moved: PointerEvent) => {
        const x = moved.clientX - from.x
        const y = moved.clientY - from.y
        if (!hasDragged && Math.hypot(x, y) < DRAG_PX) return
        hasDragged = true
        from = { x: moved.clientX, y: moved.clientY }
        scroller.scrollBy({ left: -x, top: -y, behavior: 'instant' })
      }
      const onUp = () => {
        removeEventListener('pointermove', onMove)
        removeEventListener('pointerup', onUp)
        removeEventListener('pointercancel', onUp)
      }
      addEventListener('pointermove', onMove)
      addEventListener('pointerup', onUp)
      addEventListener('pointercancel', onUp)
    }

    const stopPinch = followPinch(stage, pages, (scale, point) => {
      zoomAt(stage, boundedZoom($zoom.get() * scale), point)
    })
    stage.addEventListener('click', onClick)
    stage.addEventListener('wheel', onWheel, { passive: false })
    stage.addEventListener('pointerdown', onPointerDown)
    return () => {
      clearTimeout(timer)
      stopPinch()
      stage.removeEventListener('click', onClick)
      stage.removeEventListener('wheel', onWheel)
      stage.removeEventListener('pointerdown', onPointerDown)
    }
  }, [stageRef, pagesRef, layout, order, count, onTap])
}

interface Point {
  clientX: number
  clientY: number
}

/**
 * Scales the pages under two fingers with a CSS transform, which is fast enough on old phones. When
 * the fingers are lifted, `onEnd` receives the scale and the point between them. Returns a stop
 * function.
 */
function followPinch(
  stage: HTMLElement,
  pages: HTMLElement,
  onEnd: (scale: number, point: Point) => void,
): () => void {
  let start: { apart: number; middle: Point } | null = null
  let scale = 1
  let middle: Point = { clientX: 0, clientY: 0 }

  const onStart = ({ touches }: TouchEvent) => {
    const two = pairOf(touches)
    if (!two) return
    start = two
    scale = 1
    middle = two.middle
    const box = pages.getBoundingClientRect()
    pages.style.transformOrigin = `${middle.clientX - box.x}px ${middle.clientY - box.y}px`
  }
  const onMove = (event: TouchEvent) => {
    const two = pairOf(event.touches)
    if (!start || !two) return
    // Otherwise the browser would scroll, or zoom the page including its bars.
    if (event.cancelable) event.preventDefault()
    scale = two.apart / start.apart
    middle = two.middle
    const x = middle.clientX - start.middle.clientX
    const y = middle.clientY - start.middle.clientY
    pages.style.transform = `translate(${x}px, ${y}px) scale(${scale})`
  }
  const onLift = ({ touches }: TouchEvent) => {
    if (!start || touches.length > 1) return
    const { middle: from } = start
    start = null
    const transform = pages.style.transform
    pages.style.transform = ''
    if (transform === '') return
    onEnd(scale, from)
  }

  stage.addEventListener('touchstart', onStart, { passive: true })
  stage.addEventListener('touchmove', onMove, { passive: false })
  stage.addEventListener('touchend', onLift)
  stage.addEventListener('touchcancel', onLift)
  return () => {
    stage.removeEventListener('touchstart', onStart)
    stage.removeEventListener('touchmove', onMove)
    stage.removeEventListener('touchend', onLift)
    stage.removeEventListener('touchcancel', onLift)
  }
}

function pairOf({ length, 0: one, 1: other }: TouchList): { apart: number; middle: Point } | null {
  if (length !== 2 || !one || !other) return null
  return {
    apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
    middle: {
      clientX: (one.clientX + other.clientX) / 2,
      clientY: (one.clientY + other.clientY) / 2,
    },
  }
}
