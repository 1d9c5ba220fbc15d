import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import { FIND_TEXT_MAX_LENGTH } from '../rules/find-in-text.ts'
import { FILE_MAX_PAGES } from '../rules/uploads.ts'
import { defineCall } from './call.ts'
import { id, moment, text, whole } from './values.ts'

/** The page, from 1, at which an owner stopped, and when. */
export const Place = type({ page: number(), at: moment() })
export type Place = Infer<typeof Place>

/** What a reader needs to show a bought document page by page. */
export const Reading = type({
  documentId: id(),
  title: string(),
  /** The version of its file that is shown. */
  version: number(),
  /** The shape of each page, in order; a page's picture has it in every width. */
  sizes: array(type({ width: number(), height: number() })),
  /**
   * Where the pictures are: `<pages><n>-<width>.webp`, of the widths in `PAGE_WIDTHS`. A picture that
   * was fetched stays good in the browser's cache when this address has expired.
   */
  pages: string(),
  /**
   * When `pages` expires, 5 to 10 minutes from now. Opening the document again renews it: within 5
   * minutes by the same address, later by another.
   */
  expiresAt: moment(),
  /** The order in which the pages follow each other. */
  direction: enums(['rtl', 'ltr']),
  /** The contents that the PDF itself has, in order; `depth` counts from 0. */
  outline: array(type({ title: string(), page: number(), depth: number() })),
  /** Where its owner stopped on any device; null: not read yet. */
  place: nullable(Place),
  /** Whether anything can be found in it. */
  hasText: boolean(),
})
export type Reading = Infer<typeof Reading>

const byId = object({ id: id() })

/**
 * Opens a bought document for reading; its owner has seen its newest version with that.
 * `document_unreadable`: its pages cannot be drawn, though the file may be downloaded.
 */
export const openReading = defineCall({
  method: 'GET',
  path: '/library/documents/:id/reading',
  caller: 'user',
  params: byId,
  result: Reading,
  errors: ['document_not_found', 'not_permitted', 'document_unreadable'],
})

/**
 * Keeps the page at which the owner is. The last reading wins, whatever device it was on: `at` is when
 * the page was shown, if that was before now, such as without a network. Answers the place that is kept.
 */
export const keepPlace = defineCall({
  method: 'PUT',
  path: '/library/documents/:id/place',
  caller: 'user',
  params: byId,
  body: object({ page: whole(1, FILE_MAX_PAGES), at: optional(moment()) }),
  result: Place,
  errors: ['document_not_found', 'not_permitted'],
})

/** A place where a text was found, with some words before and after it. */
export const Find = type({ page: number(), before: string(), match: string(), after: string() })
export type Find = Infer<typeof Find>

/** Finds a text in a bought document, in the order of its pages, folded as the search folds. */
export const findInDocument = defineCall({
  method: 'GET',
  path: '/library/documents/:id/find',
  caller: 'user',
  params: byId,
  query: object({ q: text(1, FIND_TEXT_MAX_LENGTH) }),
  result: type({
    /** Whether the document has any text; without, nothing can be found. */
    hasText: boolean(),
    /** At most `FINDS_MAX`. */
    finds: array(Find),
    /** Whether there are more than these. */
    hasMore: boolean(),
  }),
  errors: ['document_not_found', 'not_permitted', 'document_unreadable'],
})
