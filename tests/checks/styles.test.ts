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

/** Files of the office, which loads `layout.css`, and the gallery, which shows its parts. */
const IN_OFFICE = /^src\/(?:office|pages\/(?:office|_gallery)|layouts\/(?:Office|office))/

/** What classes of `layout.css` and `base.css` say: a rule of nothing else repeats them. */
const SAID = new RegExp(
  `^(?:${[
    'display: (?:(?:inline-)?flex|grid)',
    'flex-direction: column',
    'flex-wrap: wrap',
    'align-items: [a-z-]+',
    '(?:justify-content|justify-items): [a-z-]+',
    'gap: (?:(?:0|var\\(--s[1-3]\\)) )?var\\(--s\\d+\\)',
    'flex: none',
    'margin-inline-start: auto',
    'min-block-size: var\\(--touch\\)',
    'color: var\\(--soft\\)',
    'font-size: var\\(--t14\\)',
    'font-weight: 600',
  ].join('|')})$`,
)

const declarationsOf = (body: string) =>
  body
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '')

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
      'layout',
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

  test('of the office leave to its markup what the classes of layout and text say', () => {
    const said = (declarations: string[]) => declarations.every((each) => SAID.test(each))
    const wrong = sheets.flatMap((file) => {
      if (!IN_OFFICE.test(file)) return []
      const css = withoutComments(read(file))
      return [...css.matchAll(/(?<!,\n)^ {2}\.([\w-]+) \{\n([^{}]*)\}/gm)]
        .filter(([, name = '', body = '']) => {
          const again = css.split(new RegExp(`\\.${name}(?![\\w-])[^{}]*\\{`)).length > 2
          return !again && said(declarationsOf(body))
        })
        .map(([, name]) => `${file}: .${name}`)
    })
    expect(wrong).toEqual([])
  })

  test('of layout are used by the office alone, whose pages load them', () => {
    const names = [...read('src/styles/layout.css').matchAll(/^ {2}\.([\w-]+) \{/gm)]
    const office = new Set(names.map(([, name]) => name))
    const wrong = markup
      .filter((file) => !IN_OFFICE.test(file))
      .flatMap((file) =>
        [...read(file).matchAll(/\bclass(?:Name|:list)?=\{?["'`[]([^>]*?)["'`\]]/g)]
          .flatMap(([, worn = '']) => worn.split(/[^\w-]+/))
          .filter((name) => office.has(name))
          .map((name) => `${file}: ${name}`),
      )
    expect(wrong).toEqual([])
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
