import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boundedPage,
  boundedZoom,
  fittingWidth,
  keyAct,
  openingPlace,
  pageAt,
  pagesToFetch,
  pictureWidth,
  sharpnessOf,
  tapAct,
  ZOOM_MAX,
  ZOOM_MIN,
  ZOOM_STEP,
} from '../../src/rules/reader.ts'

const A4 = { width: 900, height: 1274 }

describe('the order of pages', () => {
  test('arrow keys and the sides of the screen follow the direction', () => {
    const left = { key: 'ArrowLeft', shiftKey: false }
    const right = { key: 'ArrowRight', shiftKey: false }
    expect([keyAct(left, 'rtl'), keyAct(right, 'rtl')]).toEqual(['next', 'previous'])
    expect([keyAct(left, 'ltr'), keyAct(right, 'ltr')]).toEqual(['previous', 'next'])
    expect([tapAct(10, 360, 'rtl'), tapAct(350, 360, 'rtl')]).toEqual(['next', 'previous'])
    expect([tapAct(10, 360, 'ltr'), tapAct(350, 360, 'ltr')]).toEqual(['previous', 'next'])
    expect(tapAct(180, 360, 'rtl')).toBeNull()
  })

  test.each([
    [' ', false, 'next'],
    [' ', true, 'previous'],
    ['PageDown', false, 'next'],
    ['End', false, 'last'],
    ['+', true, 'in'],
    ['٠', false, 'fit'],
    ['N', true, 'night'],
    ['Tab', false, null],
    ['constructor', false, null],
  ])('the key %j with shift %s is %s', (key, shiftKey, act) => {
    expect(keyAct({ key, shiftKey }, 'rtl')).toBe(act)
  })

  test('never goes past the first or last page', () => {
    expect([-3, 0, 1, 7, 8, 99].map((page) => boundedPage(page, 7))).toEqual([1, 1, 1, 7, 7, 7])
  })
})

describe('the size of pages', () => {
  test('a page fits the screen, and is as wide as the column when scrolling', () => {
    expect(fittingWidth(A4, { width: 360, height: 740 }, 'single')).toBe(360)
    expect(fittingWidth(A4, { width: 1280, height: 637 }, 'single')).toBe(450)
    expect(fittingWidth(A4, { width: 360, height: 740 }, 'scroll')).toBe(360)
    expect(fittingWidth(A4, { width: 1280, height: 637 }, 'scroll')).toBe(860)
  })

  test('zoom stays within its bounds, and returns to the fitting size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(ZOOM_STEP, 1 / ZOOM_STEP), { maxLength: 40 }),
        (steps) => {
          let zoom = 1
          for (const step of steps) {
            zoom = boundedZoom(zoom * step)
            expect(zoom).toBeGreaterThanOrEqual(ZOOM_MIN)
            expect(zoom).toBeLessThanOrEqual(ZOOM_MAX)
          }
          for (let out = 0; out < 10; out++) zoom = boundedZoom(zoom / ZOOM_STEP)
          expect(zoom).toBe(ZOOM_MIN)
        },
      ),
    )
  })

  test('the image is as wide as the page in device pixels, or the widest available', () => {
    const widths = [480, 900, 1400]
    expect([200, 480, 494, 500, 901, 5000].map((css) => pictureWidth(css, 1, widths))).toEqual([
      480, 480, 480, 900, 900, 1400,
    ])
  })

  test('a slow connection gets a small image first, and save-data only that one', () => {
    const fast = { savesData: false, isSlow: false }
    expect(sharpnessOf(3, fast)).toEqual({ first: 2, settled: 2 })
    expect(sharpnessOf(1, fast)).toEqual({ first: 1, settled: 1 })
    expect(sharpnessOf(3, { ...fast, isSlow: true })).toEqual({ first: 1.3, settled: 2 })
    expect(sharpnessOf(3, { ...fast, savesData: true })).toEqual({ first: 1.3, settled: 1.3 })
  })
})

describe('which pages are fetched', () => {
  test('those on the screen, the next two, the previous one', () => {
    expect(pagesToFetch({ from: 5, to: 5 }, 20, false)).toEqual([5, 6, 7, 4])
    expect(pagesToFetch({ from: 1, to: 1 }, 20, false)).toEqual([1, 2, 3])
    expect(pagesToFetch({ from: 19, to: 20 }, 20, false)).toEqual([19, 20, 18])
    expect(pagesToFetch({ from: 5, to: 5 }, 20, true)).toEqual([5, 6])
  })

  test('the page at an offset from the start', () => {
    const starts = [12, 500, 1000, 1500]
    expect([0, 12, 499, 500, 1499, 99_999].map((at) => pageAt(starts, at))).toEqual([
      1, 1, 1, 2, 3, 4,
    ])
  })
})

describe('where a document opens', () => {
  const early = '2026-11-22T08:00:00.000Z'
  const late = '2026-11-22T20:00:00.000Z'

  test('at the place on this device; the first time, at that of any device; else at the first page', () => {
    expect(openingPlace({ page: 4, at: late }, { page: 9, at: early }, 20)).toEqual({
      page: 4,
      elsewhere: null,
    })
    expect(openingPlace(null, { page: 9, at: early }, 20)).toEqual({ page: 9, elsewhere: null })
    expect(openingPlace(null, null, 20)).toEqual({ page: 1, elsewhere: null })
  })

  test('offers a newer place from another device, and no page that a new version lacks', () => {
    const server = { page: 9, at: late }
    expect(openingPlace({ page: 4, at: early }, server, 20)).toEqual({ page: 4, elsewhere: server })
    expect(openingPlace({ page: 9, at: early }, server, 20).elsewhere).toBeNull()
    expect(openingPlace({ page: 9, at: early }, { page: 40, at: late }, 9).elsewhere).toBeNull()
    expect(openingPlace({ page: 40, at: early }, null, 9).page).toBe(9)
  })
})
