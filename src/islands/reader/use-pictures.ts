import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { lineOf, pagesToFetch, pictureWidth, sharpnessOf } from '../../rules/reader.ts'
import { PAGE_WIDTHS } from '../../rules/reading.ts'
import { requestPictures } from '../../stores/reader/pictures.ts'
import { $zoom } from '../../stores/reader/view.ts'

interface Options {
  /** The visible pages. */
  range: { from: number; to: number }
  count: number
  /** The width of a page before zooming, in CSS pixels. */
  widthOf: (page: number) => number
  isReady: boolean
}

/** Requests the pictures of the visible and nearby pages, and sharper ones of the visible pages. */
export function usePictures({ range: { from, to }, count, widthOf, isReady }: Options): void {
  const zoom = useStore($zoom)
  useEffect(() => {
    if (!isReady) return
    const connection = lineOf(navigator)
    const { first, settled } = sharpnessOf(devicePixelRatio, connection)
    const requestFor = (page: number, sharpness: number) => ({
      page,
      width: pictureWidth(widthOf(page), sharpness, PAGE_WIDTHS),
    })
    const pages = pagesToFetch({ from, to }, count, connection.savesData)
    const sharper = pages
      .filter((page) => page >= from && page <= to)
      .map((page) => requestFor(page, settled * zoom))
    const plain = pages.map((page) => requestFor(page, first))
    requestPictures(zoom > 1 ? [...sharper, ...plain] : [...plain, ...sharper])
  }, [from, to, count, widthOf, isReady, zoom])
}
