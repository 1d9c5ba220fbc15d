import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'

/** CSS that names a physical side (left, right) instead of a logical one. */
const PHYSICAL = [
  /(?:^|[\s;{])(?:margin|padding|border)-(?:left|right)/,
  /(?:^|[\s;{])(?:left|right)\s*:/,
  /text-align:\s*(?:left|right)/,
  /float:\s*(?:left|right)/,
  /border-(?:top|bottom)-(?:left|right)-radius/,
  /translateX\(/,
]

const sheets = sourceFiles(/^src\/.*\.css$/)
const sources = sourceFiles(/^src\/.*\.(astro|tsx|ts)$/)
const markup = sources.filter((file) => !file.endsWith('.ts'))

const withoutComments = (css: string) => css.replace(/\/\*[\s\S]*?\*\//g, '')

/** The sheets that a file imports, by their paths from the root. */
function sheetsOf(file: string): string[] {
  return [...read(file).matchAll(/@?import (?:\w+ from )?['"](\.[^'"]+\.css)(?:\?\w+)?['"]/g)].map(
    ([, sheet]) => path.join(path.dirname(file), sheet ?? ''),
  )
}

/**
 * Classes that no source contains literally: composed from these prefixes, or set by another
 * library.
 */
const COMPOSED = [
  'add-to-cart--',
  'message--',
  'payment-notice--',
  'reader__stage--',
  'spine--',
  'subject-',
  'state-mark--',
]
const SET_BY_SPLIDE = ['is-active', 'is-initialized']

describe('styles', () => {
  test('use logical start and end, never left and right', () => {
    const wrong: string[] = []
    for (const file of sheets) {
      for (const [at, line] of read(file).split('\n').entries()) {
        if (PHYSICAL.some((pattern) => pattern.test(line))) {
          wrong.push(`${file}:${at + 1}: ${line.trim()}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('are never inline style attributes, which the content security policy blocks', () => {
    const wrong = markup.filter((file) => /\sstyle=["{]/.test(read(file)))
    expect(wrong).toEqual([])
  })

  test('take their colours from the tokens', () => {
    const wrong: string[] = []
    for (const file of sheets) {
      if (file === 'src/styles/tokens.css') continue
      for (const line of read(file).split('\n')) {
        if (/#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/i.test(line)) wrong.push(`${file}: ${line.trim()}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('are next to what they style; shared ones are in src/styles', () => {
    const shared = sheets.filter((file) => file.startsWith('src/styles/'))
    expect(shared.map((file) => path.basename(file, '.css'))).toEqual([
      'badges',
      'base',
      'buttons',
      'later',
      'layers',
      'page-to-page',
      'states',
      'tokens',
    ])
    expect(markup.filter((file) => /<style(?! is:inline)/.test(read(file)))).toEqual([])
  })

  test('are imported by the component or island that uses them, or by the later sheet', () => {
    const later = sheets.filter((sheet) => /later\.css$/.test(sheet))
    const imported = new Set([...sources, ...later].flatMap(sheetsOf))
    expect(sheets.filter((sheet) => !imported.has(sheet))).toEqual([])
    const outside = sources.filter(
      (file) =>
        /^src\/(?:pages|layouts)\//.test(file) &&
        sheetsOf(file).some((sheet) => /^src\/(?:islands|office)\//.test(sheet)),
    )
    expect(outside).toEqual([])
  })

  test('give every choice the site’s own chevron', () => {
    const SHEET = 'src/parts/select.css'
    const bare = markup.filter((file) => {
      const text = read(file)
      if (!/<select\b/.test(text) || sheetsOf(file).includes(SHEET)) return false
      // A page has it from a component that it shows.
      const parts = [...text.matchAll(/import \w+ from '(\.[^']+\.astro)'/g)]
      return !parts.some(([, part = '']) =>
        sheetsOf(path.join(path.dirname(file), part)).includes(SHEET),
      )
    })
    expect(bare).toEqual([])
    const native = sheets.filter((file) => file !== SHEET && /appearance:\s*auto/.test(read(file)))
    expect(native).toEqual([])
  })

  test('are in one layer each, except those of `later.css`, and the layer order is declared once', () => {
    const later = sheetsOf('src/styles/later.css')
    const order = sheets.filter((file) => /@layer [^{]+;/.test(withoutComments(read(file))))
    expect(order).toEqual(['src/styles/layers.css'])
    const outside = sheets.filter((file) => {
      const rest = withoutComments(read(file)).replace(/@layer \w+ \{[\s\S]*?\n\}/g, '')
      return rest.trim() !== '' && !/tokens|layers|later/.test(file)
    })
    expect(outside).toEqual(later.toSorted())
  })

  test('have no rule for an unused class', () => {
    const worn = new Set(sources.flatMap((file) => read(file).match(/[\w-]+/g) ?? []))
    const dead = sheets.flatMap((file) =>
      [...withoutComments(read(file)).matchAll(/\.([a-z][\w-]*)/gi)]
        .map(([, name = '']) => name)
        .filter((name) => !worn.has(name) && !SET_BY_SPLIDE.includes(name))
        .filter((name) => !COMPOSED.some((start) => name.startsWith(start)))
        .map((name) => `${file}: .${name}`),
    )
    expect(dead).toEqual([])
  })
})
