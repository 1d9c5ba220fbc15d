import { describe, expect, test } from 'vitest'
import * as drawings from '../../src/islands/parts/drawings.ts'
import { DRAWINGS } from '../../src/islands/reader/ReaderIcon.tsx'
import { read, sourceFiles } from './source.ts'

const { MIRRORED: _, ...shared } = drawings

/**
 * Where the icons stand that are easily taken for something else: a further place shows the same
 * thing, or takes another icon.
 */
const PLACES: Readonly<Record<string, RegExp>> = {
  // Searching; what one looks at before buying has the eye.
  search: /\/(SearchBox|Bars|Gallery|Finder)\.(tsx|astro)$/,
  // The customer's own documents; reading one, and keeping one on the device, have their own.
  book: /\/BottomBar\.astro$/,
  read: /\/ControlTemplates\.astro$/,
  device: /\/KeepButton\.tsx$/,
  user: /\/(AccountMenu|BottomBar|Header|TopBar)\.astro$/,
  filter: /\/shop\.astro$/,
  phone: /\/contact\.astro$/,
}

describe('icons', () => {
  test('are drawn once each', () => {
    const all = Object.entries({ ...shared, ...DRAWINGS })
    const same = all.filter(([name, drawing]) =>
      all.some(([other, its]) => other !== name && its === drawing),
    )
    expect(same).toEqual([])
  })

  test('stand for one thing each', () => {
    const markup = sourceFiles(/^src\/(?!islands\/office|components\/office).*\.(astro|tsx)$/)
    const wrong = markup.flatMap((file) =>
      [...read(file).matchAll(/Icon name="(\w+)"|icon: '(\w+)'/g)]
        .map(([, name, listed]) => name ?? listed ?? '')
        .filter((name) => PLACES[name]?.test(file) === false)
        .map((name) => `${file}: ${name}`),
    )
    expect(wrong).toEqual([])
  })
})
