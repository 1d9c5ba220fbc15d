import type { RefObject } from 'react'
import type { ReaderLayout } from '../../rules/reader.ts'

export interface StageElements {
  /** What scrolls from page to page. */
  stage: RefObject<HTMLElement | null>
  /** All pages; scaled while two fingers zoom. */
  pages: RefObject<HTMLElement | null>
}

export const cellOf = (stage: HTMLElement, page: number): HTMLElement | null =>
  stage.querySelector(`[data-page="${page}"]`)

/** What scrolls within the page that is read: its own cell in the strip, else the stage. */
export function scrollerOf(stage: HTMLElement, layout: ReaderLayout, page: number): HTMLElement {
  return (layout === 'single' && cellOf(stage, page)) || stage
}
