import type { RefObject } from 'react'
import type { ReaderLayout } from '../../rules/reader.ts'

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
