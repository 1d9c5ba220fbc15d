import { describe, expect, test } from 'vitest'
import { LOCALES, type Locale } from '../../src/i18n/locales.ts'
import { TEXTS } from '../../src/i18n/texts.ts'
import { EXAMPLE_FACTS, SITE } from '../../src/site.ts'
import { read, sourceFiles } from './source.ts'

type Texts = { [key: string]: string | Texts }

const pluralsOf = (locale: Locale) =>
  new Intl.PluralRules(locale).resolvedOptions().pluralCategories
const PLURAL_KEY = /^(.*)_(zero|one|two|few|many|other)$/

const files = sourceFiles(/^locales\/\w+\/[\w-]+\.json$/)
const namespaces = [...new Set(files.map((file) => file.replace(/^locales\/\w+\//, '')))].sort()

function flatten(texts: Texts, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>()
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') flat.set(prefix + key, value)
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text)
  }
  return flat
}

function textsOf(locale: Locale, namespace: string): Map<string, string> {
  return flatten(JSON.parse(read(`locales/${locale}/${namespace}`)))
}

/** Keys without their plural suffixes. */
function names(texts: Map<string, string>): string[] {
  return [...new Set([...texts.keys()].map((key) => key.replace(PLURAL_KEY, '$1')))].sort()
}

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)

describe.each(namespaces)('locales: %s', (namespace) => {
  test('each language has exactly the keys of Arabic', () => {
    const arabic = names(textsOf('ar', namespace))
    for (const locale of LOCALES) expect(names(textsOf(locale, namespace))).toEqual(arabic)
  })

  test.each(LOCALES)('%s has all its plural forms, and no empty text', (locale) => {
    const texts = textsOf(locale, namespace)
    for (const [key, text] of texts) {
      expect(text.trim(), key).not.toBe('')
      const plural = PLURAL_KEY.exec(key)
      if (!plural) continue
      for (const form of pluralsOf(locale))
        expect([...texts.keys()]).toContain(`${plural[1]}_${form}`)
    }
  })

  test('a translation uses only the placeholders of Arabic', () => {
    const arabic = textsOf('ar', namespace)
    const given = new Map<string, Set<string | undefined>>()
    for (const [key, text] of arabic) {
      const name = key.replace(PLURAL_KEY, '$1')
      given.set(name, new Set([...(given.get(name) ?? []), ...placeholders(text)]))
    }
    for (const locale of LOCALES) {
      for (const [key, text] of textsOf(locale, namespace)) {
        const known = given.get(key.replace(PLURAL_KEY, '$1'))
        for (const name of placeholders(text)) expect(known, `${locale} ${key}`).toContain(name)
      }
    }
  })
})

test('every button that tries again has the same label', () => {
  for (const locale of LOCALES) {
    const labels = namespaces.flatMap((namespace) => {
      const english = textsOf('en', namespace)
      return [...textsOf(locale, namespace)].filter(([key]) => english.get(key) === 'Try again')
    })
    expect(labels.length).toBeGreaterThan(40)
    expect(new Set(labels.map(([, text]) => text)).size, locale).toBe(1)
  }
})

/** Digits that may be written in a text, since no rule defines them. */
const NAMES_AND_EXAMPLES: readonly RegExp[] = [
  /D17/g, // a way to pay
  /UTF-8/g, // a way to write letters
  /98\u00a0000\u00a0000/g, // an example of a phone number
  /\b2024(?:\/25)?\b/g, // examples of how a year is written
  /\b25\b|\b12[.,]50\b|\b7[.,]500\b/g, // examples of how an amount is written
]

test('no text repeats a number of a rule: it takes it as {{value}} from src/i18n/texts.ts', () => {
  const wrong: string[] = []
  const sentences = [
    // The catalogue's texts are names: "1st grade", "Preparatory, physics and chemistry 2".
    ...namespaces
      .filter((namespace) => namespace !== 'catalogue.json')
      .flatMap((namespace) =>
        LOCALES.flatMap((locale) =>
          [...textsOf(locale, namespace)].map(([key, text]) => [
            `${locale} ${namespace} ${key}`,
            text,
          ]),
        ),
      ),
    ...sourceFiles(/^src\/content\/.*\.md$/).map((file) => [file, read(file)]),
  ] as [string, string][]
  for (const [where, text] of sentences) {
    const own = NAMES_AND_EXAMPLES.reduce((rest, known) => rest.replace(known, ''), text)
    const [number] = /\d+/.exec(own.replace(/\{\{\w+\}\}/g, '')) ?? []
    if (number) wrong.push(`${where}: ${number}`)
  }
  expect(wrong).toEqual([])
})

test('the code knows every value that a text takes', () => {
  const code = sourceFiles(/^src\/.*\.(?:tsx?|astro)$/).map(read)
  const words = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []))
  const texts = namespaces.flatMap((namespace) => [...textsOf('ar', namespace).values()])
  const pages = sourceFiles(/^src\/content\/.*\.md$/).map(read)
  const values = [...new Set([...texts, ...pages].flatMap(placeholders))]
  expect(values.length).toBeGreaterThan(100)
  expect(values.filter((name = '') => !words.has(name))).toEqual([])
})

test('every file of a language is one of its text files', () => {
  const files = namespaces.map((file) => file.replace('.json', ''))
  for (const locale of LOCALES) {
    const exported = new Set(Object.keys(TEXTS[locale]))
    expect(exported, `exported by src/i18n/languages/${locale}.ts`).toEqual(new Set(files))
  }
})

test('each language has every page of src/content', () => {
  const pagesOf = (locale: Locale) =>
    sourceFiles(new RegExp(`^src/content/${locale}/`)).map((file) => file.split('/').at(-1))
  for (const locale of LOCALES) expect(pagesOf(locale)).toEqual(pagesOf('ar'))
})

test('src/site.ts describes the shop in each language', () => {
  const { contact, bank } = EXAMPLE_FACTS
  for (const said of [SITE.name, SITE.slogan, contact.school, ...contact.addresses, bank.name])
    expect(Object.keys(said).sort()).toEqual([...LOCALES].sort())
})

test('the Arabic texts are Arabic', () => {
  const wrong: string[] = []
  for (const namespace of namespaces) {
    for (const [key, text] of textsOf('ar', namespace)) {
      const words = text.replace(/\{\{\w+\}\}/g, '')
      if (/[a-z]{3,}/i.test(words) && !/[\u0600-\u06ff]/.test(words))
        wrong.push(`${namespace} ${key}: ${text}`)
    }
  }
  expect(wrong).toEqual([])
})

test('no number of an Arabic text is drawn before the Latin word that it follows', () => {
  const wrong: string[] = []
  for (const namespace of namespaces) {
    for (const [key, text] of textsOf('ar', namespace)) {
      if (/[a-z][،؛]? (?:\{\{|\d)/i.test(text)) wrong.push(`${namespace} ${key}: ${text}`)
    }
  }
  expect(wrong).toEqual([])
})
