import { useEffect } from 'react'
import { FRAME_MESSAGES, keyAct, type PageOrder, ZOOM_STEP } from '../../rules/reader.ts'
import {
  $page,
  $view,
  $zoom,
  goToPage,
  showNight,
  showPages,
  zoomTo,
} from '../../stores/reader/view.ts'
import { cellOf } from './use-zoom.ts'

interface Options {
  order: PageOrder
  count: number
  onFind: () => void
  onFull: () => void
}

/** How far an arrow key scrolls a page that is larger than the screen, in CSS pixels. */
const ARROW_PX = 80
/** The part of the screen's height by which a key scrolls; the rest stays visible. */
const SCREENFUL = 0.85

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -ARROW_PX],
  ArrowDown: [0, ARROW_PX],
  ArrowLeft: [-ARROW_PX, 0],
  ArrowRight: [ARROW_PX, 0],
}

/** Turns pages, zooms and scrolls by keys, except in fields and on controls that need the key. */
export function useKeys({ order, count, onFind, onFull }: Options): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      if (ctrlKey || metaKey || altKey || event.defaultPrevented) return
      const focused = target instanceof Element ? target : document.body
      if (focused.closest('input, select, textarea, [role=dialog]')) return
      if (key === ' ' && focused.closest('button, a')) return
      if (key === 'Escape') return tellDialog('left')
      if (scrollByKey(key) || actByKey(event)) event.preventDefault()
    }

    /** Scrolls pages that are larger than the screen; returns whether it has handled the key. */
    function scrollByKey(key: string): boolean {
      const stage = document.querySelector<HTMLElement>('.reader__stage')
      if (!stage) return false
      const isScrolled = $view.get().layout === 'scroll'
      const scroller = isScrolled ? stage : (cellOf(stage, $page.get()) ?? stage)
      const [left, top] = ARROWS[key] ?? [0, 0]
      if (top !== 0 || (left !== 0 && $zoom.get() > 1)) {
        scroller.scrollBy({ left, top, behavior: 'instant' })
        return true
      }
      const down = key === ' ' || key === 'PageDown' ? 1 : key === 'PageUp' ? -1 : 0
      if (!isScrolled || down === 0) return false
      scroller.scrollBy({ top: down * SCREENFUL * stage.clientHeight, behavior: 'instant' })
      return true
    }

    function actByKey(event: KeyboardEvent): boolean {
      const act = keyAct(event, order)
      const { layout, isNight } = $view.get()
      if (act === 'next') goToPage($page.get() + 1, count)
      else if (act === 'previous') goToPage($page.get() - 1, count)
      else if (act === 'first') goToPage(1, count)
      else if (act === 'last') goToPage(count, count)
      else if (act === 'in') zoomTo($zoom.get() * ZOOM_STEP)
      else if (act === 'out') zoomTo($zoom.get() / ZOOM_STEP)
      else if (act === 'fit') zoomTo(1)
      else if (act === 'night') showNight(!isNight)
      else if (act === 'layout') showPages(layout === 'single' ? 'scroll' : 'single')
      else if (act === 'find') onFind()
      else if (act === 'full') onFull()
      return act !== null
    }

    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [order, count, onFind, onFull])
}

/** Tells the dialog around the reader's frame, if there is one. */
export function tellDialog(what: keyof typeof FRAME_MESSAGES): void {
  if (parent !== window) parent.postMessage(FRAME_MESSAGES[what], location.origin)
}
