import { describe, expect, test } from 'vitest'
import { DEFAULT_LANGUAGE, inEachLanguage, LANGUAGES } from '../../../src/rules/languages.ts'
import { SITE_PAGES } from '../../../src/rules/site-pages.ts'
import { presentNamed } from '../../../src/server/catalogue/names.ts'
import { factsOf } from '../../../src/server/site-texts/facts.ts'
import { pageOf, presentPage, shippedPage } from '../../../src/server/site-texts/pages.ts'
import { EXAMPLE_FACTS, SITE } from '../../../src/site.ts'

/** A language that the shop did not have when the values below were stored. */
const [added = DEFAULT_LANGUAGE] = LANGUAGES.filter((each) => each !== DEFAULT_LANGUAGE)

const without = <T extends object>(texts: T) =>
  Object.fromEntries(Object.entries(texts).filter(([language]) => language !== added))

describe('what was stored before a language was added', () => {
  test('facts are shown in the default language', () => {
    const { contact, bank } = EXAMPLE_FACTS
    const inDefault = <T extends object>(texts: T & Record<typeof DEFAULT_LANGUAGE, string>) => ({
      ...texts,
      [added]: texts[DEFAULT_LANGUAGE],
    })
    const stored = {
      ...contact,
      school: without(contact.school),
      addresses: contact.addresses.map(without),
    }
    expect(factsOf(EXAMPLE_FACTS, 'contact', { value: stored })).toEqual({
      ...contact,
      school: inDefault(contact.school),
      addresses: contact.addresses.map(inDefault),
    })
    const { name } = factsOf(EXAMPLE_FACTS, 'bank', {
      value: { ...bank, name: without(bank.name) },
    })
    expect(name).toEqual(inDefault(bank.name))
  })

  test.each(SITE_PAGES)('the page "%s" is shown in the default language', (name) => {
    const { items, ...words } = shippedPage(name, true)
    const value = { ...without(words), items: items.map(without) }
    const shown = presentPage(name, pageOf(shippedPage(name, true), { value }), {
      locale: added,
      shop: SITE,
    })
    expect(shown).toEqual(
      presentPage(name, shippedPage(name, true), { locale: DEFAULT_LANGUAGE, shop: SITE }),
    )
  })

  test('names of the catalogue are left to the translations', () => {
    const names = inEachLanguage((each) => `Drama (${each})`)
    expect(presentNamed({ names: without(names) as typeof names }).names).toEqual({
      ...names,
      [added]: '',
    })
  })
})
