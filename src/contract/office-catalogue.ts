import * as s from 'superstruct'
import {
  coverColorProblem,
  ENTRIES_MAX,
  ENTRY_NAME_MAX_LENGTH,
  entryNameProblem,
  FEATURED,
  FEATURED_MAX,
  LISTS,
} from '../rules/catalogue-lists.ts'
import { inEachLanguage } from '../rules/languages.ts'
import { LEVELS } from '../rules/price-bands.ts'
import { defineCall } from './call.ts'
import { InEachLanguage } from './references.ts'
import { checked, id, LastChange, nameText, revision, searchedText, text } from './values.ts'

/** An entry of a list, offered or retired. */
export const Entry = s.type({
  id: id(),
  /** The code by which lists of documents may name it. */
  code: s.nullable(s.string()),
  /** The names as pages show them. */
  names: InEachLanguage,
  isRetired: s.boolean(),
  /** The level of a class. */
  level: s.nullable(s.enums(LEVELS)),
  /** The subjects of a class; null where all are offered. */
  subjectIds: s.nullable(s.array(id())),
  /** The colour of a cover. */
  color: s.nullable(s.string()),
  picture: s.nullable(s.string()),
  /** How many documents in any state have it, and how many of these are for sale. */
  documents: s.number(),
  published: s.number(),
  /** The revision that its next change must name. */
  revision: s.number(),
  changed: LastChange,
})
export type Entry = s.Infer<typeof Entry>

/** The entries of a list in order; `revision` is that of the order. */
export const List = s.type({ entries: s.array(Entry), revision: s.number(), changed: LastChange })
export type List = s.Infer<typeof List>

export const Lists = s.type({
  subjects: List,
  classes: List,
  categories: List,
  kinds: List,
  covers: List,
})
export type Lists = s.Infer<typeof Lists>

const name = () => checked(nameText(0, ENTRY_NAME_MAX_LENGTH), entryNameProblem)
const names = s.object(inEachLanguage(name))
const color = s.optional(checked(text(0, 7), coverColorProblem))
/** The subjects of a class; none: all. */
const subjectIds = s.optional(s.size(s.array(id()), 0, ENTRIES_MAX))

const ofList = s.object({ list: s.enums(LISTS) })
const ofEntry = s.object({ list: s.enums(LISTS), id: id() })

export const getLists = defineCall('GET /office/admin/lists', 'admin', { result: Lists })

/** Adds an entry at the end of its list. A class needs its `level`, a cover its `color`. */
export const addEntry = defineCall('POST /office/admin/lists/:list', 'admin', {
  params: ofList,
  body: s.object({ names, level: s.optional(s.enums(LEVELS)), color, subjectIds }),
  result: Lists,
  errors: ['name_taken', 'list_full'],
})

/**
 * Renames an entry, and sets the colour of a cover or the subjects of a class. `revision` is the one that was read: if the
 * entry has changed since, the answer is 409 `done_before` and nothing is saved. Saving the same
 * values again is not a change.
 */
export const changeEntry = defineCall('PUT /office/admin/lists/:list/:id', 'admin', {
  params: ofEntry,
  body: s.object({ revision: revision(), names, color, subjectIds }),
  result: Lists,
  errors: ['not_found', 'done_before', 'name_taken'],
})

/**
 * Stops offering an entry for new documents, or offers it again; documents that have it keep it.
 */
export const retireEntry = defineCall('PUT /office/admin/lists/:list/:id/retired', 'admin', {
  params: ofEntry,
  body: s.object({ revision: revision(), isRetired: s.boolean() }),
  result: Lists,
  errors: ['not_found', 'done_before'],
})

/** Sets the order of a list; entries that `ids` omits follow in their previous order. */
export const orderList = defineCall('PUT /office/admin/lists/:list/order', 'admin', {
  params: ofList,
  body: s.object({ revision: revision(), ids: s.size(s.array(id()), 1, ENTRIES_MAX) }),
  result: Lists,
  errors: ['done_before'],
})

/** A document or teacher that the home page features. */
export const FeaturedItem = s.type({
  id: id(),
  /** A document's title, or a teacher's name. */
  title: s.string(),
  /** A document's teacher. */
  by: s.nullable(s.string()),
  /** Whether buyers see it: a document that is for sale, or a teacher with at least one. */
  isShown: s.boolean(),
})
export type FeaturedItem = s.Infer<typeof FeaturedItem>

export const FeaturedItems = s.type({
  items: s.array(FeaturedItem),
  revision: s.number(),
  changed: LastChange,
})
export type FeaturedItems = s.Infer<typeof FeaturedItems>

const ofFeatured = s.object({ kind: s.enums(FEATURED) })

export const getFeatured = defineCall('GET /office/admin/featured/:kind', 'admin', {
  params: ofFeatured,
  result: FeaturedItems,
})

/**
 * Sets the featured items in order. `revision` works as for an entry. Items that are not for sale
 * cannot be added (400); an item that is no longer for sale keeps its place but is not shown.
 */
export const saveFeatured = defineCall('PUT /office/admin/featured/:kind', 'admin', {
  params: ofFeatured,
  body: s.object({ revision: revision(), ids: s.size(s.array(id()), 0, FEATURED_MAX) }),
  result: FeaturedItems,
  errors: ['done_before'],
})

/**
 * Items that could be featured: documents for sale, found by words of their titles, or teachers, by
 * name.
 */
export const findFeaturable = defineCall('GET /office/admin/featured/:kind/choices', 'admin', {
  params: ofFeatured,
  query: s.object({ q: checked(searchedText(), (q) => (q === '' ? 'required' : null)) }),
  result: s.array(FeaturedItem),
})
