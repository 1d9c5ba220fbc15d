import * as office from '../../../contract/office-site-pages.ts'
import type { SitePage } from '../../../contract/site.ts'
import { inEachLanguage, LANGUAGES, type Language } from '../../../rules/languages.ts'
import {
  ITEM_FIELDS,
  ITEMS_MAX,
  type PageTexts,
  pageProblems,
  SITE_PAGES,
  type SitePageName,
  WORD_FIELDS,
} from '../../../rules/site-pages.ts'
import { ask } from '../../kit/backend.ts'
import { resource, resourceFor } from '../../kit/loader.ts'

export type PageValues = Record<string, string>

export const sitePages = resource(office.listSitePages)

export const bindingTerms = resource(office.getBindingTerms)

/** Makes the page of the terms binding in this version. Throws an `ApiError`. */
export async function publishTerms(revision: number): Promise<void> {
  bindingTerms.show(await ask(office.publishTerms, { body: { revision } }))
}

export const sitePage = resourceFor(office.getOfficePage, (name: SitePageName) => ({
  params: { name },
}))

/** The page in the URL, or the first one by default. */
export function pageInAddress(): SitePageName {
  const name = new URLSearchParams(location.search).get('name')
  return SITE_PAGES.find((each) => each === name) ?? SITE_PAGES[0]
}

/** The number of items that can be added before the page must be saved. */
const SPARE_ITEMS = 10

const itemField = (id: number, language: Language, field: string) =>
  `items.${id}.${language}.${field}`

/** The field values of a page; `order` lists the ids of its items, new ones are appended to it. */
export function valuesOf({ items, ...words }: PageTexts): PageValues {
  const values: PageValues = { order: items.map(({ id }) => id).join(',') }
  for (const language of LANGUAGES) {
    for (const field of WORD_FIELDS) values[`${language}.${field}`] = words[language][field]
  }
  for (const item of items) {
    for (const language of LANGUAGES) {
      for (const field of ITEM_FIELDS) {
        values[itemField(item.id, language, field)] = item[language][field]
      }
    }
  }
  const last = Math.max(0, ...items.map(({ id }) => id))
  for (let id = last + 1; id <= last + SPARE_ITEMS; id++) {
    for (const language of LANGUAGES) {
      for (const field of ITEM_FIELDS) values[itemField(id, language, field)] = ''
    }
  }
  return values
}

export const orderOf = (values: PageValues): number[] =>
  (values.order ?? '').split(',').filter(Boolean).map(Number)

/** The id for a new item; null if the page is full, or must be saved before an item is added. */
export function nextItemId(values: PageValues, initial: PageValues): number | null {
  const order = orderOf(values)
  if (order.length >= ITEMS_MAX) return null
  const first = Math.max(0, ...orderOf(initial)) + 1
  const spare = Array.from({ length: SPARE_ITEMS }, (_, at) => first + at)
  return spare.find((id) => !order.includes(id)) ?? null
}

function textsOf(values: PageValues): PageTexts {
  const text = (field: string) => values[field] ?? ''
  const group = <Field extends string>(fields: readonly Field[], path: (field: Field) => string) =>
    Object.fromEntries(fields.map((field) => [field, text(path(field)).trim()])) as Record<
      Field,
      string
    >
  return {
    ...inEachLanguage((language) => group(WORD_FIELDS, (field) => `${language}.${field}`)),
    items: orderOf(values).map((id) => ({
      id,
      ...inEachLanguage((language) =>
        group(ITEM_FIELDS, (field) => itemField(id, language, field)),
      ),
    })),
  }
}

/** The mistakes that prevent saving, by field; the server checks further rules. */
export const pageMistakes = (name: SitePageName, values: PageValues) =>
  pageProblems(name, textsOf(values))

/** Renders the unsaved page as readers would see it. */
export function previewPage(
  name: SitePageName,
  locale: Language,
  values: PageValues,
): Promise<SitePage> {
  const body = { locale, page: textsOf(values) }
  return ask(office.previewSitePage, { params: { name }, body })
}

export async function savePage(
  name: SitePageName,
  revision: number,
  values: PageValues,
): Promise<office.OfficePage> {
  const body = { revision, page: textsOf(values) }
  const saved = await ask(office.saveSitePage, { params: { name }, body })
  sitePage.show(saved)
  return saved
}
