import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accentCss,
  CONTRAST_MIN,
  contrast,
  FIRST_PEN,
  latinName,
  pensOf,
  referencePrefix,
  SCHEMES,
} from '../../src/rules/brand.ts'
import { nameProblem, transfersTo } from '../../src/rules/site-facts.ts'

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

describe('the accent colour', () => {
  test('is readable in both schemes, whichever it is', () => {
    fc.assert(
      fc.property(colour, (accent) => {
        for (const scheme of ['light', 'dark'] as const) {
          const { pen } = pensOf(accent)[scheme]
          const { surfaces, onPen } = SCHEMES[scheme]
          for (const other of [...surfaces, onPen]) {
            expect(contrast(pen, other)).toBeGreaterThanOrEqual(CONTRAST_MIN)
          }
        }
      }),
    )
  })

  test('stays as it is where it is readable, and is otherwise darkened or lightened', () => {
    expect(pensOf(FIRST_PEN).light.pen).toBe(FIRST_PEN)
    expect(pensOf('#ffdf6b').dark.pen).toBe('#ffdf6b')
    expect(pensOf('#ffdf6b').light.pen).not.toBe('#ffdf6b')
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
    expect(accentCss('#2440a8')).toContain('--pen:#2440a8')
  })

  test('is measured against the surfaces of the style sheets', () => {
    const [light = '', dark = ''] = readFileSync('src/styles/tokens.css', 'utf8').split(
      '@media (prefers-color-scheme: dark)',
    )
    for (const [sheet, { surfaces, onPen }] of [
      [light, SCHEMES.light],
      [dark, SCHEMES.dark],
    ] as const) {
      const values = ['paper', 'raised', 'sunken', 'on-pen'].map(
        (name) => new RegExp(`--${name}: (#[\\da-f]{6});`).exec(sheet)?.[1],
      )
      expect(values).toEqual([...surfaces, onPen])
    }
    expect(light).toContain(`--pen: ${FIRST_PEN};`)
  })
})

test.each([
  [{ ar: 'منارة', fr: 'Étoile', en: 'Star' }, 'Star'],
  [{ ar: 'منارة', fr: 'Étoile', en: 'منارة' }, 'Étoile'],
  [{ ar: 'منارة', fr: 'منارة', en: 'منارة' }, ''],
])('the name in Latin letters of %j is "%s"', (name, latin) => {
  expect(latinName({ name })).toBe(latin)
})

test.each([
  ['Manara', null],
  ['منارة العلم', null],
  ['L’Étoile & Cie', null],
  ['', 'required'],
  ['   ', 'required'],
  ['a'.repeat(31), 'maxLength'],
  ['{{site}}', 'pattern'],
  ['a"b', 'pattern'],
  ['a/b', 'pattern'],
  ['<b>', 'pattern'],
  ['a\nb', 'pattern'],
])('the name %j breaks the rule %s', (name, problem) => {
  expect(nameProblem(name)).toBe(problem)
})

test('a shop takes the transfers for which it has given an account', () => {
  const [bank, d17, none] = [{ rib: '0'.repeat(20) }, { phone: '+216 98 000 000' }, '']
  expect(transfersTo({ bank, d17 })).toEqual(['bank_transfer', 'd17'])
  expect(transfersTo({ bank: { rib: none }, d17 })).toEqual(['d17'])
  expect(transfersTo({ bank: { rib: none }, d17: { phone: none } })).toEqual([])
})

test.each([
  ['Karras', 'KR'],
  ['École du Sud', 'EC'],
  ['Élan', 'EL'],
  ['iQra', 'IQ'],
  ['Yasmine 2', 'YS'],
  ['Aïa', 'AI'],
  ['X', 'XX'],
  ['2026', 'KR'],
  ['كرّاس', 'KR'],
])('references of %j begin with %j', (name, prefix) => {
  expect(referencePrefix({ name: { ar: name, fr: name, en: name } })).toBe(prefix)
})
