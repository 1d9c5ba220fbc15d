import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
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
import { checked, id, LastChange, nameText, revision, text } from './values.ts'

/** An entry of a list, offered or retired. */
export const Entry = type({
  id: id(),
  /** The code by which lists of documents may name it. */
  code: nullable(string()),
  /** The names as pages show them. */
  names: InEachLanguage,
  isRetired: boolean(),
  /** The level of a class. */
  level: nullable(enums(LEVELS)),
  /** The colour of a cover. */
  color: nullable(string()),
  picture: nullable(string()),
  /** How many documents in any state have it, and how many of these are for sale. */
  documents: number(),
  published: number(),
  /** The revision that its next change must name. */
  revision: number(),
  changed: LastChange,
})
export type Entry = Infer<typeof Entry>

/** The entries of a list in order; `revision` is that of the order. */
export const List = type({ entries: array(Entry), revision: number(), changed: LastChange })
export type List = Infer<typeof List>

export const Lists = type({ subjects: List, classes: List, categories: List, covers: List })
export type Lists = Infer<typeof Lists>

const name = () => checked(nameText(0, ENTRY_NAME_MAX_LENGTH), entryNameProblem)
const names = object(inEachLanguage(name))
const color = optional(checked(text(0, 7), coverColorProblem))

const ofList = object({ list: enums(LISTS) })
const ofEntry = object({ list: enums(LISTS), id: id() })

export const getLists = defineCall('GET /office/admin/lists', 'admin', { result: Lists })

/** Adds an entry at the end of its list. A class needs its `level`, a cover its `color`. */
export const addEntry = defineCall('POST /office/admin/lists/:list', 'admin', {
  params: ofList,
  body: object({ names, level: optional(enums(LEVELS)), color }),
  result: Lists,
  errors: ['name_taken', 'list_full'],
})

/**
 * Renames an entry, and sets the colour of a cover. `revision` is the one that was read: if the
 * entry has changed since, the answer is 409 `done_before` and nothing is saved. Saving the same
 * values again is not a change.
 */
export const changeEntry = defineCall('PUT /office/admin/lists/:list/:id', 'admin', {
  params: ofEntry,
  body: object({ revision: revision(), names, color }),
  result: Lists,
  errors: ['not_found', 'done_before', 'name_taken'],
})

/**
 * Stops offering an entry for new documents, or offers it again; documents that have it keep it.
 */
export const retireEntry = defineCall('PUT /office/admin/lists/:list/:id/retired', 'admin', {
  params: ofEntry,
  body: object({ revision: revision(), isRetired: boolean() }),
  result: Lists,
  errors: ['not_found', 'done_before'],
})

/** Sets the order of a list; entries that `ids` omits follow in their previous order. */
export const orderList = defineCall('PUT /office/admin/lists/:list/order', 'admin', {
  params: ofList,
  body: object({ revision: revision(), ids: size(array(id()), 1, ENTRIES_MAX) }),
  result: Lists,
  errors: ['done_before'],
})

/** A document or teacher that the home page features. */
export const FeaturedItem = type({
  id: id(),
  /** A document's title, or a teacher's name. */
  title: string(),
  /** A document's teacher. */
  by: nullable(string()),
  /** Whether buyers see it: a document that is for sale, or a teacher with at least one. */
  isShown: boolean(),
})
export type FeaturedItem = Infer<typeof FeaturedItem>

export const FeaturedItems = type({
  items: array(FeaturedItem),
  revision: number(),
  changed: LastChange,
})
export type FeaturedItems = Infer<typeof FeaturedItems>

const ofFeatured = object({ kind: enums(FEATURED) })

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
  body: object({ revision: revision(), ids: size(array(id()), 0, FEATURED_MAX) }),
  result: FeaturedItems,
  errors: ['done_before'],
})

/**
 * Items that could be featured: documents for sale, found by words of their titles, or teachers, by
 * name.
 */
export const findFeaturable = defineCall('GET /office/admin/featured/:kind/choices', 'admin', {
  params: ofFeatured,
  query: object({ q: text(1, 200) }),
  result: array(FeaturedItem),
})
