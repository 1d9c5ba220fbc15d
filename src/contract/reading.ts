import * as s from 'superstruct'
import { FIND_TEXT_MAX_LENGTH } from '../rules/find-in-text.ts'
import { FILE_MAX_PAGES } from '../rules/uploads.ts'
import { defineCall } from './call.ts'
import { SUBJECT } from './marks.ts'
import { byId, id, moment, text, whole } from './values.ts'

/** The page (from 1) at which an owner stopped, and when. */
export const Place = s.type({ page: s.number(), at: moment() })
export type Place = s.Infer<typeof Place>

/** The data that the reader needs to show a bought document page by page. */
export const Reading = s.type({
  documentId: id(),
  title: s.string(),
  /** The version of its file that is shown. */
  version: s.number(),
  /**
   * The shape of each page, in order; a page's pictures have the same aspect ratio in every width.
   */
  sizes: s.array(s.type({ width: s.number(), height: s.number() })),
  /**
   * The URL prefix of the pictures: `<pages><n>-<width>.webp`, in the widths of `PAGE_WIDTHS`. A
   * fetched picture stays valid in the browser's cache after this URL has expired.
   */
  pages: s.string(),
  /**
   * When `pages` expires, some minutes from now. Opening the document again renews it: soon after
   * with the same URL, later with another.
   */
  expiresAt: moment(),
  /** The order in which the pages follow each other. */
  direction: s.enums(['rtl', 'ltr']),
  /** The PDF's own table of contents, in order; `depth` counts from 0. */
  outline: s.array(s.type({ title: s.string(), page: s.number(), depth: s.number() })),
  /** Where the owner stopped on any device; null: not read yet. */
  place: s.nullable(Place),
  /** Whether it has text, which can be searched. */
  hasText: s.boolean(),
  /** If it is a test or exercises, which can be sat as an exam: what its teacher said of it. */
  paper: s.optional(
    s.type({
      minutes: s.nullable(s.number()),
      /** The page on which the correction begins. */
      correctionPage: s.nullable(s.number()),
      /** How many quarters of points each exercise has. */
      exercisePoints: s.nullable(s.array(s.number())),
      ...SUBJECT,
    }),
  ),
})
export type Reading = s.Infer<typeof Reading>

/**
 * Opens a bought document for reading; its newest version then counts as seen.
 * `document_unreadable`: its pages cannot be rendered, but the file may be downloaded.
 */
export const openReading = defineCall('GET /library/documents/:id/reading', 'user', {
  feature: 'reader',
  params: byId,
  result: Reading,
  errors: ['document_not_found', 'not_permitted', 'document_unreadable'],
})

/**
 * Stores the page at which the owner is. The last reading wins, on whatever device: `at` is when
 * the page was shown, if that was earlier, such as offline. Returns the stored place.
 */
export const keepPlace = defineCall('PUT /library/documents/:id/place', 'user', {
  feature: 'reader',
  params: byId,
  body: s.object({ page: whole(1, FILE_MAX_PAGES), at: s.optional(moment()) }),
  result: Place,
  errors: ['document_not_found', 'not_permitted'],
})

/** A place where a text was found, with some words before and after it. */
export const Find = s.type({
  page: s.number(),
  before: s.string(),
  match: s.string(),
  after: s.string(),
})
export type Find = s.Infer<typeof Find>

/** Finds a text in a bought document, in page order, folded like the shop's search. */
export const findInDocument = defineCall('GET /library/documents/:id/find', 'user', {
  feature: 'reader',
  params: byId,
  query: s.object({ q: text(1, FIND_TEXT_MAX_LENGTH) }),
  result: s.type({
    /** Whether the document has any text; otherwise nothing can be found. */
    hasText: s.boolean(),
    /** At most `FINDS_MAX`. */
    finds: s.array(Find),
    /** Whether there are more finds than these. */
    hasMore: s.boolean(),
  }),
  errors: ['document_not_found', 'not_permitted', 'document_unreadable'],
})

/** A page that everyone may view; `text`: the text on it, with a line break after each line. */
export const SamplePage = s.type({
  /** Its number in the document, from 1. */
  page: s.number(),
  /** The size of its widest picture, in pixels. */
  width: s.number(),
  height: s.number(),
  text: s.string(),
})
export type SamplePage = s.Infer<typeof SamplePage>

/** What everyone may see of a document's file. */
export const Sample = s.type({
  documentId: id(),
  /**
   * Part of the paths of the pictures (`samplePicture` of `rules/reading.ts`); null: there is no
   * sample.
   */
  key: s.nullable(s.string()),
  pages: s.array(SamplePage),
  /** The order in which the pages follow each other. */
  direction: s.enums(['rtl', 'ltr']),
  /** The size of the file in bytes. */
  fileSize: s.number(),
  /** Since when buyers have been getting this file. */
  fileDate: moment(),
})
export type Sample = s.Infer<typeof Sample>

/** The sample of a document that is for sale. */
export const getSample = defineCall('GET /documents/:id/sample', 'anyone', {
  feature: 'samples',
  params: byId,
  result: Sample,
  errors: ['document_not_found'],
})
