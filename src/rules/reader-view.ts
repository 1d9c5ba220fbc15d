import type { Line, ReaderLayout } from './reader.ts'

/** How the reader shows pages, as this browser remembers it. */
export interface ReaderView {
  layout: ReaderLayout
  /** Whether the paper is dark, for the evening. */
  isNight: boolean
}

/** Reads the view from stored data of any shape. */
export function readerView(stored: unknown): ReaderView {
  const { layout, isNight } = (stored ?? {}) as Partial<ReaderView>
  return { layout: layout === 'scroll' ? 'scroll' : 'single', isNight: isNight === true }
}

interface Connected {
  connection?: { saveData?: boolean; effectiveType?: string }
}

/** The connection as the browser reports it; not every browser does. */
export function lineOf(navigator: unknown): Line {
  const { saveData = false, effectiveType = '4g' } = (navigator as Connected).connection ?? {}
  return { savesData: saveData, isSlow: effectiveType !== '4g' }
}
