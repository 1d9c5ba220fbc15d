import { PdfArray, type PdfDict, PdfNumber } from '@libpdf/core'
import type { Resolve } from './page-tree.ts'
import { inherited } from './page-tree.ts'

/** Where the footer begins, from the lower left corner of an A4 page, in points. */
const LEFT = 24
const BOTTOM = 12
/** The shorter side of A4: on other pages the footer is scaled in proportion. */
const USUAL_SIDE = 595

/** A page as it is shown. */
export interface Place {
  /** The matrix from the footer's coordinates to the page's. */
  readonly matrix: readonly [number, number, number, number, number, number]
  /** The page's size as it is shown, in points. */
  readonly width: number
  readonly height: number
}

interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

const LETTER: Box = { left: 0, bottom: 0, right: 612, top: 792 }

/**
 * The place of the footer on a page: at the lower left of its visible part, for any box and
 * rotation.
 */
export function footerPlace(page: PdfDict, resolve: Resolve): Place {
  const box = visibleBox(page, resolve)
  const turned = inherited(page, 'Rotate', resolve)
  const turns = turned instanceof PdfNumber ? (((turned.value / 90) % 4) + 4) % 4 : 0
  const [across, up] = [box.right - box.left, box.top - box.bottom]
  const [width, height] = turns % 2 === 1 ? [up, across] : [across, up]
  const scale = Math.min(width, height) / USUAL_SIDE
  // The directions that are displayed as right and up, and the corner that is displayed at the
  // lower left.
  const [rightX, rightY] = (
    [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ] as const
  )[turns as 0 | 1 | 2 | 3] ?? [1, 0]
  const [upX, upY] = [-rightY, rightX]
  const cornerX = turns === 1 || turns === 2 ? box.right : box.left
  const cornerY = turns === 2 || turns === 3 ? box.top : box.bottom
  const matrix = [
    rightX * scale,
    rightY * scale,
    upX * scale,
    upY * scale,
    cornerX + (rightX * LEFT + upX * BOTTOM) * scale,
    cornerY + (rightY * LEFT + upY * BOTTOM) * scale,
  ] as const
  return { matrix, width, height }
}

/** The visible part of a page: its crop box within its media box. */
function visibleBox(page: PdfDict, resolve: Resolve): Box {
  const medium = readBox(inherited(page, 'MediaBox', resolve), resolve) ?? LETTER
  const crop = readBox(inherited(page, 'CropBox', resolve), resolve)
  if (!crop) return medium
  const both = {
    left: Math.max(medium.left, crop.left),
    bottom: Math.max(medium.bottom, crop.bottom),
    right: Math.min(medium.right, crop.right),
    top: Math.min(medium.top, crop.top),
  }
  return isEmpty(both) ? medium : both
}

/** Reads a box, which is given by any two opposite corners; null if it has no area. */
function readBox(object: unknown, resolve: Resolve): Box | null {
  if (!(object instanceof PdfArray) || object.length < 4) return null
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [...object].map((item) => {
    const value = resolve(item)
    return value instanceof PdfNumber ? value.value : 0
  })
  const box = {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    right: Math.max(x1, x2),
    top: Math.max(y1, y2),
  }
  return isEmpty(box) ? null : box
}

function isEmpty({ left, bottom, right, top }: Box): boolean {
  return right - left <= 0 || top - bottom <= 0
}
