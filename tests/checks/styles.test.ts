import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'

/** What names a side of the screen instead of a side of the text. */
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

/** Classes that no source spells out: these begin with what one composes, or another library sets. */
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
  test('speak of start and end, never of left and right', () => {
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

  test('are never written in style attributes, which the content security policy refuses', () => {
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

  test('stand beside what they style; those of no component stand in src/styles', () => {
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

  test('come with the component or island that wears them, or in the sheet for later', () => {
    const later = sheets.filter((sheet) => /later\.css$/.test(sheet))
    const imported = new Set([...sources, ...later].flatMap(sheetsOf))
    expect(sheets.filter((sheet) => !imported.has(sheet))).toEqual([])
    const outside = sources.filter(
      (file) =>
        /^src\/(?:pages|layouts)\//.test(file) &&
        sheetsOf(file).some((sheet) => sheet.startsWith('src/islands/')),
    )
    expect(outside).toEqual([])
  })

  test('are in a layer each, but for those of `later.css`, and the order of the layers is said once', () => {
    const later = sheetsOf('src/styles/later.css')
    const order = sheets.filter((file) => /@layer [^{]+;/.test(withoutComments(read(file))))
    expect(order).toEqual(['src/styles/layers.css'])
    const outside = sheets.filter((file) => {
      const rest = withoutComments(read(file)).replace(/@layer \w+ \{[\s\S]*?\n\}/g, '')
      return rest.trim() !== '' && !/tokens|layers|later/.test(file)
    })
    expect(outside).toEqual(later.toSorted())
  })

  test('have no rule for a class that nothing wears', () => {
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
