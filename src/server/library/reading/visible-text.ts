import type { PDFiumPage } from '@hyzyla/pdfium'
import { DRAWABLE } from '../safety/check-pdf.ts'
import { functionsOf, handleOfPage, OBJECTS, type Pdfium } from '../safety/pdfium.ts'
import { drawnOnce, toPixels } from './draw-page.ts'

// Whether a page shows what its text says. Text may be white on white, on a layer that is off, cut
// off, clipped away, under a picture or a comment: there are many ways, and the page's picture knows
// them all. A page is drawn with its text and without: what changes nothing is not seen.

/** A character as PDFium reads it, in points of the page. */
export interface Character {
  readonly character: string
  /** The object that draws it; 0 for none. */
  readonly object: number
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/**
 * `shown`: the page shows it. `scanned`: a picture is in its place, and it is what a program has
 * recognised in that picture. `unknown`: the file lacks its font, so that nothing is drawn here.
 */
export type Sight = 'shown' | 'scanned' | 'unknown' | 'hidden'

/** How much red, green or blue of a pixel changes, of 255, for an eye to notice it. */
const NOTICED = 20

/** The modes of text that draws nothing, which differ in whether it clips what comes after it. */
const INVISIBLE = [3, 7]

/**
 * The sight of each character, none of which is a space. Leaves the page without its text and, where
 * some is not shown, without its pictures.
 */
export function sightsOf(page: PDFiumPage, characters: readonly Character[]): Sight[] {
  if (characters.length === 0) return []
  const pdfium = functionsOf(page)
  const boxOf = boxesIn(page)
  const modes = new Map<number, number>()
  const isDrawn = ({ object }: Character) => {
    const mode = modes.get(object) ?? pdfium._FPDFTextObj_GetTextRenderMode(object)
    modes.set(object, mode)
    return !INVISIBLE.includes(mode)
  }
  const whole = drawnOnce(page)
  switchOff(pdfium, handleOfPage(page), OBJECTS.text)
  const withoutText = drawnOnce(page)
  const isText = changesBetween(whole, withoutText)
  const isShown = (one: Character) => isDrawn(one) && isText(boxOf(one))
  if (characters.every(isShown)) return characters.map(() => 'shown')

  switchOff(pdfium, handleOfPage(page), OBJECTS.image)
  const isPicture = changesBetween(withoutText, drawnOnce(page))
  const isInside = ({ left, right, top, bottom }: Box) =>
    right > 0 && left < whole.width && bottom > 0 && top < whole.height
  return characters.map((one) => {
    if (isShown(one)) return 'shown'
    if (isPicture(boxOf(one))) return 'scanned'
    const isUnknown = isDrawn(one) && isInside(boxOf(one)) && lacksFont(pdfium, one)
    return isUnknown ? 'unknown' : 'hidden'
  })
}

function lacksFont(pdfium: Pdfium, { object, character }: Character): boolean {
  // Accents and vowels are of no script of their own.
  if (DRAWABLE.test(character) && !/\p{M}/u.test(character)) return false
  return pdfium._FPDFFont_GetIsEmbedded(pdfium._FPDFTextObj_GetFont(object)) === 0
}

/** Keeps all objects of a kind from being drawn, those of drawings of their own as well. */
function switchOff(pdfium: Pdfium, page: number, kind: number): void {
  const visit = (object: number): void => {
    const type = pdfium._FPDFPageObj_GetType(object)
    if (type === kind) pdfium._FPDFPageObj_SetIsActive(object, 0)
    if (type !== OBJECTS.form) return
    const count = pdfium._FPDFFormObj_CountObjects(object)
    for (let at = 0; at < count; at++) visit(pdfium._FPDFFormObj_GetObject(object, at))
  }
  const count = pdfium._FPDFPage_CountObjects(page)
  for (let at = 0; at < count; at++) visit(pdfium._FPDFPage_GetObject(page, at))
}

/** In pixels; `right` and `bottom` are outside. */
interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

function boxesIn(page: PDFiumPage): (character: Character) => Box {
  const pixelAt = toPixels(page)
  return ({ left, right, bottom, top }) => {
    const corners = [pixelAt(left, bottom), pixelAt(right, top)]
    const [x, y] = [0, 1].map((at) => corners.map((corner) => corner[at] ?? 0)) as [
      number[],
      number[],
    ]
    return {
      left: Math.floor(Math.min(...x)),
      right: Math.ceil(Math.max(...x)),
      top: Math.floor(Math.min(...y)),
      bottom: Math.ceil(Math.max(...y)),
    }
  }
}

type Pixels = ReturnType<typeof drawnOnce>

/**
 * Whether any pixel of a box differs noticeably between two pictures of one size. Sums over the
 * rectangle from the first pixel to each (a summed-area table) make that four look-ups, however many
 * characters have however large a box.
 */
function changesBetween({ width, height, data }: Pixels, other: Pixels): (box: Box) => boolean {
  const across = width + 1
  const sums = new Int32Array(across * (height + 1))
  for (let y = 0, at = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++, at += 4) {
      const isChanged =
        Math.abs((data[at] as number) - (other.data[at] as number)) > NOTICED ||
        Math.abs((data[at + 1] as number) - (other.data[at + 1] as number)) > NOTICED ||
        Math.abs((data[at + 2] as number) - (other.data[at + 2] as number)) > NOTICED
      if (isChanged) row++
      const place = (y + 1) * across + x + 1
      sums[place] = row + (sums[place - across] as number)
    }
  }
  const within = (number: number, most: number) => Math.min(most, Math.max(0, number))
  return (box) => {
    const [left, right] = [within(box.left, width), within(box.right, width)]
    const [top, bottom] = [within(box.top, height), within(box.bottom, height)]
    const sum = (x: number, y: number) => sums[y * across + x] ?? 0
    return sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top) > 0
  }
}
