import type { Line, ReaderLayout } from './reader.ts'

/** How the reader shows pages, as this browser remembers it. */
export interface ReaderView {
  layout: ReaderLayout
  /** Dark paper, for the evening. */
  isNight: boolean
}

/** The view in anything that was stored. */
export function readerView(stored: unknown): ReaderView {
  const { layout, isNight } = (stored ?? {}) as Partial<ReaderView>
  return { layout: layout === 'scroll' ? 'scroll' : 'single', isNight: isNight === true }
}

interface Connected {
  connection?: { saveData?: boolean; effectiveType?: string }
}

/** What a browser tells of its line; not every browser does. */
export function lineOf(navigator: unknown): Line {
  const { saveData = false, effectiveType = '4g' } = (navigator as Connected).connection ?? {}
  return { savesData: saveData, isSlow: effectiveType !== '4g' }
}
