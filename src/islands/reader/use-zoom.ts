import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect } from 'react'
import type { ReaderLayout } from '../../rules/reader.ts'
import { $page, $zoom, zoomTo } from '../../stores/reader/view.ts'
import { cellOf, type StageElements, scrollerOf } from './stage-elements.ts'

/** A point of a page, and where on the screen it stays while the page becomes larger or smaller. */
interface Held {
  sheet: Element
  /** From 0 to 1. */
  across: number
  down: number
  clientX: number
  clientY: number
}

let held: Held | null = null

/** Zooms so that what is at this point of the screen stays there. */
export function zoomAt(
  stage: HTMLElement,
  zoom: number,
  { clientX, clientY }: { clientX: number; clientY: number },
): void {
  const under = document.elementFromPoint(clientX, clientY)?.closest('.reader__cell')
  held = holdIn(under ?? cellOf(stage, $page.get()), clientX, clientY)
  zoomTo(zoom)
}

function holdIn(cell: Element | null, clientX: number, clientY: number): Held | null {
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

/** Draws the pages as large as the zoom says. */
export function useZoom({ stage: stageRef }: StageElements, layout: ReaderLayout): void {
  const zoom = useStore($zoom)

  // By a key or a button the middle of the screen stays. The listener runs before anything is drawn.
  useEffect(
    () =>
      $zoom.listen(() => {
        const stage = stageRef.current
        if (held || !stage) return
        const { x, y, width, height } = stage.getBoundingClientRect()
        held = holdIn(cellOf(stage, $page.get()), x + width / 2, y + height / 2)
      }),
    [stageRef],
  )

  useLayoutEffect(() => {
    const stage = stageRef.current
    if (!stage) return
    stage.style.setProperty('--zoom', String(zoom))
    stage.classList.toggle('is-zoomed', zoom > 1)
    const point = held
    held = null
    if (!point) return
    const box = point.sheet.getBoundingClientRect()
    scrollerOf(stage, layout, $page.get()).scrollBy({
      left: box.x + point.across * box.width - point.clientX,
      top: box.y + point.down * box.height - point.clientY,
      behavior: 'instant',
    })
  }, [stageRef, layout, zoom])
}
