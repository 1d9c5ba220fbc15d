import { atom, readonlyType } from 'nanostores'
import { boundedPage, boundedZoom, type ReaderLayout, readerView } from '../../rules/reader.ts'
import { READER_VIEW_KEY } from '../../rules/storage-keys.ts'
import { persistedJson } from '../shared/persistence.ts'

const $saved = persistedJson(READER_VIEW_KEY, readerView(null), readerView)
export const $view = readonlyType($saved)

const $at = atom(1)
/** The number of the current page, from 1. */
export const $page = readonlyType($at)

const $scale = atom(1)
/** The zoom factor of pages; at 1 a page fits the screen. */
export const $zoom = readonlyType($scale)

export function showPages(layout: ReaderLayout): void {
  $saved.set({ ...$saved.get(), layout })
  $scale.set(1)
}

export function showNight(isNight: boolean): void {
  $saved.set({ ...$saved.get(), isNight })
  document.documentElement.classList.toggle('is-night', isNight)
}

export function goToPage(page: number, count: number): void {
  $at.set(boundedPage(page, count))
}

export function zoomTo(zoom: number): void {
  $scale.set(boundedZoom(zoom))
}
