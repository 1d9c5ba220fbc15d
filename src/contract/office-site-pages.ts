import * as s from 'superstruct'
import { inEachLanguage, LANGUAGES } from '../rules/languages.ts'
import {
  ITEMS_MAX,
  PAGE_BODY_MAX_BYTES,
  PAGE_TEXT_MAX_LENGTH,
  QUESTION_ANSWER_MAX_LENGTH,
  SENTENCE_MAX_LENGTH,
  SITE_PAGES,
} from '../rules/site-pages.ts'
import { defineCall } from './call.ts'
import { SitePage } from './site.ts'
import { id, LastChange, moment, revision, text, whole } from './values.ts'

// Above the limit of any field: the rules in `site-pages.ts` report problems by the field's name.
const words = () => {
  const sentence = text(0, 2 * SENTENCE_MAX_LENGTH)
  return s.object({
    title: sentence,
    description: sentence,
    lead: sentence,
    text: text(0, PAGE_TEXT_MAX_LENGTH),
  })
}
const itemWords = () => {
  const sentence = text(0, 2 * SENTENCE_MAX_LENGTH)
  return s.object({
    title: sentence,
    note: sentence,
    text: text(0, 2 * QUESTION_ANSWER_MAX_LENGTH),
  })
}

/** A page in all languages; see `rules/site-pages.ts`. */
export const PageTexts = s.object({
  ...inEachLanguage(words),
  items: s.size(
    s.array(s.object({ id: whole(1, 9999), ...inEachLanguage(itemWords) })),
    0,
    ITEMS_MAX,
  ),
})

export const OfficePage = s.type({
  name: s.enums(SITE_PAGES),
  revision: s.number(),
  changed: LastChange,
  page: PageTexts,
})
export type OfficePage = s.Infer<typeof OfficePage>

/** A page in the list: how many of its fields are empty in each language. */
export const ListedPage = s.type({
  name: s.enums(SITE_PAGES),
  revision: s.number(),
  changed: LastChange,
  missing: s.record(s.enums(LANGUAGES), s.number()),
  /** Whether it says nothing yet, and does not exist for visitors. */
  isEmpty: s.boolean(),
})
export type ListedPage = s.Infer<typeof ListedPage>

export const listSitePages = defineCall('GET /office/admin/site-pages', 'admin', {
  result: s.array(ListedPage),
})

const pageName = s.object({ name: s.enums(SITE_PAGES) })

export const getOfficePage = defineCall('GET /office/admin/site-pages/:name', 'admin', {
  params: pageName,
  result: OfficePage,
})

/**
 * Saves a page in all languages, which is public at once. Concurrent changes are handled as for
 * facts.
 */
export const saveSitePage = defineCall('PUT /office/admin/site-pages/:name', 'admin', {
  takesAtMost: PAGE_BODY_MAX_BYTES,
  params: pageName,
  body: s.object({ revision: revision(), page: PageTexts }),
  result: OfficePage,
  errors: ['done_before'],
})

/** A preview of a page, as its readers would see it, from unsaved texts. */
export const previewSitePage = defineCall('POST /office/admin/site-pages/:name/preview', 'admin', {
  takesAtMost: PAGE_BODY_MAX_BYTES,
  params: pageName,
  body: s.object({ locale: s.enums(LANGUAGES), page: PageTexts }),
  result: SitePage,
})

/** The terms that are binding, and the version of their page; null: none are. */
export const BindingTerms = s.type({
  current: s.nullable(
    s.type({ number: id(), publishedAt: moment(), revision: revision(), accepted: s.number() }),
  ),
})
export type BindingTerms = s.Infer<typeof BindingTerms>

export const getBindingTerms = defineCall('GET /office/admin/terms', 'admin', {
  result: BindingTerms,
})

/**
 * Makes the page of the terms binding as it is now, in the version that was shown: registrations and
 * each account's first purchase since are asked to accept it.
 */
export const publishTerms = defineCall('POST /office/admin/terms', 'admin', {
  body: s.object({ revision: revision() }),
  result: BindingTerms,
  errors: ['done_before'],
})
