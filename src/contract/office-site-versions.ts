import {
  array,
  enums,
  type Infer,
  integer,
  nullable,
  number,
  object,
  pattern,
  type Struct,
  string,
  type,
} from 'superstruct'
import { LANGUAGES, type Language } from '../rules/languages.ts'
import { FACT_GROUPS } from '../rules/site-facts.ts'
import { SITE_PAGES } from '../rules/site-pages.ts'
import { defineCall } from './call.ts'
import { pageOf, pageQuery } from './pages.ts'
import { id, moment, whole } from './values.ts'

/** Who changed something last, and when; null: it is still the first version. */
export const LastChange = nullable(type({ by: string(), at: moment() }))

/** Of a version; 0 is the first. */
export const revision = () => whole(0, 999_999_999)

export const SITE_SUBJECTS = [
  ...FACT_GROUPS.map((group) => `facts ${group}` as const),
  ...SITE_PAGES.map((name) => `page ${name}` as const),
]
/** A text of the interface in a language: `text fr shop:title`. */
type TextSubject = `text ${Language} ${string}`
export type SiteSubject = (typeof SITE_SUBJECTS)[number] | TextSubject

const SUBJECT = new RegExp(
  `^(?:${SITE_SUBJECTS.join('|')}|text (?:${LANGUAGES.join('|')}) [\\w-]{1,40}:[\\w.-]{1,80})$`,
)

/** One version of a group of facts, of a page or of a text; 0 is the first. */
export const SiteVersion = type({
  revision: integer(),
  by: string(),
  at: moment(),
  /** Which version it brought back. */
  restores: nullable(integer()),
})
export type SiteVersion = Infer<typeof SiteVersion>

const subject = pattern(string(), SUBJECT) as Struct<SiteSubject, null>

/** The versions but the first, newest first. */
export const listSiteVersions = defineCall({
  method: 'GET',
  path: '/office/admin/site-versions',
  caller: 'admin',
  query: object({ subject, ...pageQuery }),
  result: pageOf(SiteVersion),
})

/** What a version changed of the one before it, field by field. */
export const getSiteDifferences = defineCall({
  method: 'GET',
  path: '/office/admin/site-versions/:revision/differences',
  caller: 'admin',
  params: object({ revision: id() }),
  query: object({ subject }),
  result: array(
    type({
      /** Such as `fr.title` or `items.3.ar.text`. */
      field: string(),
      parts: array(type({ kind: enums(['same', 'added', 'removed']), text: string() })),
    }),
  ),
})
export type SiteDifferences = Infer<typeof getSiteDifferences.result>

/** Undoes: adds a version that says what `to` said. `revision` is the one of now, as with a change. */
export const restoreSiteVersion = defineCall({
  method: 'POST',
  path: '/office/admin/site-versions/restore',
  caller: 'admin',
  body: object({ subject, revision: revision(), to: revision() }),
  result: type({ revision: number() }),
  errors: ['done_before', 'not_found'],
})
