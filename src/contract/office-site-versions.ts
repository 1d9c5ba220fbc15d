import * as s from 'superstruct'
import {
  ENTRY_KINDS,
  type EntryKind,
  FEATURED,
  type FeaturedKind,
  LISTS,
  type ListName,
} from '../rules/catalogue-lists.ts'
import { LANGUAGES, type Language } from '../rules/languages.ts'
import { FACT_GROUPS } from '../rules/site-facts.ts'
import { SITE_PAGES } from '../rules/site-pages.ts'
import { defineCall } from './call.ts'
import { id, moment, pageOf, pageQuery, revision } from './values.ts'

/** Texts that administrators write and whose first version is in the repository. */
export const TEXT_SUBJECTS = [
  ...FACT_GROUPS.map((group) => `facts ${group}` as const),
  ...SITE_PAGES.map((name) => `page ${name}` as const),
  'calendar' as const,
]
export type TextSubject = (typeof TEXT_SUBJECTS)[number]

/** An entry of a list, the order of a list, or what is featured. */
export type CatalogueSubject =
  | `${EntryKind} ${number}`
  | `list ${ListName}`
  | `featured ${FeaturedKind}`
  /** The chapters of a class and a subject. */
  | `chapters ${number} ${number}`
/** A text of the interface in a language: `text fr shop:title`. */
export type InterfaceTextSubject = `text ${Language} ${string}`

export type SiteSubject = TextSubject | CatalogueSubject | InterfaceTextSubject

/** The names of subjects that exist once; an entry of a list is named by its kind and its id. */
export const NAMED_SUBJECTS = [
  ...TEXT_SUBJECTS,
  ...LISTS.map((list) => `list ${list}` as const),
  ...FEATURED.map((kind) => `featured ${kind}` as const),
]

/** A version of something that administrators write; 0 is the first. */
export const SiteVersion = s.type({
  revision: s.integer(),
  by: s.string(),
  at: moment(),
  /** The version that it restored, if any. */
  restores: s.nullable(s.integer()),
})
export type SiteVersion = s.Infer<typeof SiteVersion>

const kinds = Object.values(ENTRY_KINDS).join('|')
const INTERFACE_TEXT = `text (?:${LANGUAGES.join('|')}) [\\w-]{1,40}:[\\w.-]{1,80}`
const subject = s.pattern(
  s.string(),
  new RegExp(
    `^(?:${NAMED_SUBJECTS.join('|')}|(?:${kinds}) [1-9]\\d{0,8}|chapters [1-9]\\d{0,8} [1-9]\\d{0,8}|${INTERFACE_TEXT})$`,
  ),
) as unknown as s.Struct<SiteSubject, null>

/** The versions except the first, newest first. */
export const listSiteVersions = defineCall('GET /office/admin/site-versions', 'admin', {
  query: s.object({ subject, ...pageQuery }),
  result: pageOf(SiteVersion),
})

/** The changes of a version from the previous one, field by field. */
export const getSiteDifferences = defineCall(
  'GET /office/admin/site-versions/:revision/differences',
  'admin',
  {
    params: s.object({ revision: id() }),
    query: s.object({ subject }),
    result: s.array(
      s.type({
        /** For example `fr.title` or `items.3.ar.text`. */
        field: s.string(),
        parts: s.array(s.type({ kind: s.enums(['same', 'added', 'removed']), text: s.string() })),
      }),
    ),
  },
)
export type SiteDifferences = s.Infer<typeof getSiteDifferences.result>

/**
 * Restores a version: adds a new version with the content of `to`. `revision` is the current one,
 * as for a change.
 */
export const restoreSiteVersion = defineCall('POST /office/admin/site-versions/restore', 'admin', {
  body: s.object({ subject, revision: revision(), to: revision() }),
  result: s.type({ revision: s.number() }),
  errors: ['done_before', 'not_found', 'name_taken'],
})
