import * as fc from 'fast-check'
import { createInstance } from 'i18next'
import { describe, expect, test } from 'vitest'
import { compiledTexts } from '../../src/i18n/compiled-texts.ts'
import { LOCALES, type Locale } from '../../src/i18n/locales.ts'
import { TEXTS, type TextKey, type Texts, textsOf } from '../../src/i18n/texts.ts'
import { localized } from '../../src/i18n/translate.ts'
import { inEachLanguage } from '../../src/rules/languages.ts'
import { SITE } from '../../src/site.ts'

/** Plain i18next, which parses each text anew. */
function viaI18next(texts: Texts) {
  const instance = createInstance()
  void instance.init({
    resources: texts,
    fallbackLng: false,
    ns: Object.keys(texts.ar),
    initAsync: false,
    interpolation: { escapeValue: false },
  })
  return (locale: Locale) => instance.getFixedT(locale)
}

const PLURAL = /_(?:zero|one|two|few|many|other)$/

/** Every key as callers use it, without its plural suffix. */
function keysOf(texts: object, prefix = ''): TextKey[] {
  const found = Object.entries(texts).flatMap(([name, text]) => {
    if (typeof text === 'string') return [`${prefix}${name.replace(PLURAL, '')}` as TextKey]
    return Array.isArray(text) ? [] : keysOf(text, `${prefix}${name}${prefix === '' ? ':' : '.'}`)
  })
  return [...new Set(found)]
}

/** A key that only exists in plural forms needs a count. */
function isPlural(key: TextKey): boolean {
  const [namespace = '', path = ''] = key.split(':')
  const group = path.split('.').slice(0, -1)
  let at: unknown = (TEXTS.ar as unknown as Record<string, unknown>)[namespace]
  for (const name of group) at = (at as Record<string, unknown>)[name]
  return !Object.hasOwn(at as object, path.split('.').at(-1) ?? '')
}

const COUNTS = [0, 1, 2, 3, 10, 11, 26, 99, 100, 101, 103, 1000, 1_000_000, 1.5]
const keys = keysOf(TEXTS.ar)
const names = new Set([...JSON.stringify(TEXTS).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))
/** A value per name, which contains markup and a placeholder. */
const values = Object.fromEntries(
  [...names].map((name) => [name, `<b>${name}</b> {{name}} $t(common:skip) $& "'`]),
)

describe('compiled texts equal the output of i18next', () => {
  const i18next = viaI18next(TEXTS)
  const compiled = compiledTexts(TEXTS)

  test.each(LOCALES)('%s: every key with every count, twice', (locale) => {
    expect(keys.length).toBeGreaterThan(2000)
    const says = i18next(locale)
    const wrong: string[] = []
    for (const key of keys) {
      for (const count of isPlural(key) ? COUNTS : [undefined, 3]) {
        const given = { ...values, ...(count !== undefined && { count }) }
        const expected = says(key, given)
        for (let time = 1; time <= 2; time++) {
          if (compiled[locale](key, given) !== expected) wrong.push(`${key} ${count}`)
        }
      }
      if (!isPlural(key) && compiled[locale](key) !== says(key)) wrong.push(key)
    }
    expect(wrong).toEqual([])
  })

  test('for any values', () => {
    const filled = keys.filter((key) => !isPlural(key))
    fc.assert(
      fc.property(
        fc.constantFrom(...LOCALES),
        fc.constantFrom(...filled),
        fc.dictionary(
          fc.constantFrom(...(names as Set<string>)),
          fc.oneof(fc.string(), fc.double()),
        ),
        (locale, key, given) => {
          const { count, ...others } = given
          const all = typeof count === 'string' ? { ...others, count } : others
          expect(compiled[locale](key, all)).toBe(i18next(locale)(key, all))
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('overridden texts', () => {
  const own = (ar: Record<string, string>) => ({
    ...inEachLanguage(() => ({})),
    ar,
  })

  test('are compiled again when they change', () => {
    const key: TextKey = 'common:skip'
    expect(localized('ar', { id: 'one', shop: SITE, texts: own({ [key]: 'أوّل' }) }).t(key)).toBe(
      'أوّل',
    )
    expect(localized('ar', { id: 'two', shop: SITE, texts: own({ [key]: 'ثان' }) }).t(key)).toBe(
      'ثان',
    )
    const shipped = localized('ar', { id: 'none', shop: SITE, texts: own({}) })
    expect(shipped.t(key)).toBe(TEXTS.ar.common.skip)
    expect(localized('fr', { id: 'two', shop: SITE, texts: own({ [key]: 'ثان' }) }).t(key)).toBe(
      TEXTS.fr.common.skip,
    )
  })

  test('equal the output of i18next, even with a format or a nested text', () => {
    const changed = textsOf(
      SITE,
      own({
        'common:skip': '{{ shop }} {{- shop }} {{shop, none}} {{shop}}',
        'common:loading': '$t(common:skip)',
      }),
    )
    for (const key of ['common:skip', 'common:loading'] as const) {
      const given = { shop: 'كرّاس' }
      expect(compiledTexts(changed).ar(key, given)).toBe(viaI18next(changed)('ar')(key, given))
    }
  })

  test('a key that no language has throws', () => {
    const missing = 'common:nothing.here' as TextKey
    for (const locale of LOCALES) {
      expect(() => compiledTexts(TEXTS)[locale](missing)).toThrow('no text for the key')
      expect(() => compiledTexts(TEXTS)[locale](missing, { count: 3 })).toThrow('no text for')
    }
  })
})
