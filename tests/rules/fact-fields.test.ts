import fc from 'fast-check'
import { is, mask } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { savedFacts } from '../../src/contract/office-facts.ts'
import { Facts } from '../../src/contract/site.ts'
import {
  completedFacts,
  factFields,
  factMistakes,
  factRows,
  factValues,
  isAccount,
  NO_FACTS,
  readFacts,
} from '../../src/rules/fact-fields.ts'
import { FACT_GROUPS } from '../../src/rules/site-facts.ts'
import { EXAMPLE_FACTS } from '../../src/site.ts'

/** Texts of each kind, right and wrong. */
const TYPED = [
  '',
  ' ',
  'Karras',
  ' <b> ',
  '{{name}}',
  '98 000 000',
  '98000',
  'contact@karras.example',
  'https://karras.example/a',
  'http://karras.example',
  '#2440a8',
  '36.8',
  '181',
  '12400',
  '1282182W/A/M/000',
]
const values = (group: (typeof FACT_GROUPS)[number]) =>
  fc.record(
    Object.fromEntries(factFields(group).map(({ path }) => [path, fc.constantFrom(...TYPED)])),
  )

describe.each(FACT_GROUPS)('the facts of "%s"', (group) => {
  test('are the same after their form was read', () => {
    const typed = factValues(group, EXAMPLE_FACTS)
    expect(Object.keys(typed)).toEqual(factFields(group).map(({ path }) => path))
    expect(readFacts(group, typed)).toEqual(EXAMPLE_FACTS[group])
    fc.assert(
      fc.property(values(group), (entered) => {
        const facts = readFacts(group, entered)
        expect(readFacts(group, factValues(group, { ...NO_FACTS, [group]: facts }))).toEqual(facts)
      }),
    )
  })

  // The server also asks for what is whole only together.
  test.skipIf(isAccount(group) || group === 'legal')('are refused by the form or saved', () => {
    fc.assert(
      fc.property(values(group), (entered) => {
        const typed = group === 'community' && { followers: '12' }
        const all = { ...entered, ...typed }
        let isSaved = true
        try {
          mask(readFacts(group, all), savedFacts(group))
        } catch {
          isSaved = false
        }
        const mistakes = factMistakes(group, all)
        expect([isSaved, mistakes]).toEqual([Object.keys(mistakes).length === 0, mistakes])
      }),
    )
  })

  test('that were stored without one of them are completed', () => {
    const inDefault = (text: Record<'ar' | 'fr' | 'en', string>) => text
    for (const fact of new Set(factRows(group).map((row) => row.fact))) {
      const { [fact]: _, ...stored } = EXAMPLE_FACTS[group] as Record<string, unknown>
      const completed = completedFacts(group, stored as never, inDefault)
      expect(is({ ...EXAMPLE_FACTS, [group]: completed }, Facts)).toBe(true)
    }
  })
})
