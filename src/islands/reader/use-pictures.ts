import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pagesToFetch, pictureWidth, sharpnessOf } from '../../rules/reader.ts'
import { lineOf } from '../../rules/reader-view.ts'
import { PAGE_WIDTHS } from '../../rules/reading.ts'
import { wishFor } from '../../stores/reader/pictures.ts'
import { $zoom } from '../../stores/reader/view.ts'

interface Options {
  /** The pages on the screen. */
  range: { from: number; to: number }
  count: number
  /** How wide a page is before it is zoomed, in CSS pixels. */
  widthOf: (page: number) => number
  isReady: boolean
}

/** Has the pictures fetched that are on the screen and around it, sharper ones where one stays or zooms. */
export function usePictures({ range: { from, to }, count, widthOf, isReady }: Options): void {
  const zoom = useStore($zoom)
  useEffect(() => {
    if (!isReady) return
    const line = lineOf(navigator)
    const { first, settled } = sharpnessOf(devicePixelRatio, line)
    const wish = (page: number, sharpness: number) => ({
      page,
      width: pictureWidth(widthOf(page), sharpness, PAGE_WIDTHS),
    })
    const pages = pagesToFetch({ from, to }, count, line.savesData)
    const sharper = pages
      .filter((page) => page >= from && page <= to)
      .map((page) => wish(page, settled * zoom))
    const plain = pages.map((page) => wish(page, first))
    wishFor(zoom > 1 ? [...sharper, ...plain] : [...plain, ...sharper])
  }, [from, to, count, widthOf, isReady, zoom])
}
