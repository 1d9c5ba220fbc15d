import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useLayoutEffect } from 'react'
import type { ReaderLayout } from '../../rules/reader.ts'
import { $page, $zoom, zoomTo } from '../../stores/reader/view.ts'

export interface StageElements {
  /** The element that scrolls from page to page. */
  stage: RefObject<HTMLElement | null>
  /** The element with all pages, scaled during a pinch. */
  pages: RefObject<HTMLElement | null>
}

export const cellOf = (stage: HTMLElement, page: number): HTMLElement | null =>
  stage.querySelector(`[data-page="${page}"]`)

/** The element that scrolls within the current page: its cell in the strip, else the stage. */
export function scrollerOf(stage: HTMLElement, layout: ReaderLayout, page: number): HTMLElement {
  return (layout === 'single' && cellOf(stage, page)) || stage
}

/** A point of a page, and the screen position at which it stays during zooming. */
interface FixedPoint {
  sheet: Element
  /** From 0 to 1. */
  across: number
  down: number
  clientX: number
  clientY: number
}

let fixedPoint: FixedPoint | null = null

export function zoomAt(
  stage: HTMLElement,
  zoom: number,
  { clientX, clientY }: { clientX: number; clientY: number },
): void {
  const under = document.elementFromPoint(clientX, clientY)?.closest('.reader__cell')
  fixedPoint = fixedPointIn(under ?? cellOf(stage, $page.get()), clientX, clientY)
  zoomTo(zoom)
}

function fixedPointIn(cell: Element | null, clientX: number, clientY: number): FixedPoint | null {
  const sheet = cell?.firstElementChild
  if (!sheet) return null
  const box = sheet.getBoundingClientRect()
  return {
    sheet,
    across: (clientX - box.x) / box.width,
    down: (clientY - box.y) / box.height,
    clientX,
    clientY,
  }
}

export function useZoom({ stage: stageRef }: StageElements, layout: ReaderLayout): void {
  const zoom = useStore($zoom)

  // Zooming by key or button keeps the middle of the screen. The listener runs before rendering.
  useEffect(
    () =>
      $zoom.listen(() => {
        const stage = stageRef.current
        if (fixedPoint || !stage) return
        const { x, y, width, height } = stage.getBoundingClientRect()
        fixedPoint = fixedPointIn(cellOf(stage, $page.get()), x + width / 2, y + height / 2)
      }),
    [stageRef],
  )

  useLayoutEffect(() => {
    const stage = stageRef.current
    if (!stage) return
    stage.style.setProperty('--zoom', String(zoom))
    stage.classList.toggle('is-zoomed', zoom > 1)
    const point = fixedPoint
    fixedPoint = null
    if (!point) return
    const box = point.sheet.getBoundingClientRect()
    scrollerOf(stage, layout, $page.get()).scrollBy({
      left: box.x + point.across * box.width - point.clientX,
      top: box.y + point.down * box.height - point.clientY,
      behavior: 'instant',
    })
  }, [stageRef, layout, zoom])
}
