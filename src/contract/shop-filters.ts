import * as s from 'superstruct'
import { inDinars } from '../rules/money.ts'
import { PAGE_NUMBER_MAX } from '../rules/pager.ts'
import { PAPER_FACETS, type PaperFacet } from '../rules/papers.ts'
import { searchedPart } from '../rules/pasted-text.ts'
import { PRICE_BANDS, type PriceBand, parsePriceBand } from '../rules/price-bands.ts'
import { DocumentFilters, type Sort } from './catalogue.ts'

/** The filters in the shop's URL; `page` counts from 0, as in the backend. */
export type ShopFilters = Omit<DocumentFilters, 'size' | 'match'>

/** The default sort order. */
export function defaultSort({ title }: Pick<ShopFilters, 'title'>): Sort {
  return title === undefined ? 'newest' : 'relevance'
}

type Field = keyof ShopFilters

/** What is no filter by itself, or is removed by another name: `search` and `price`. */
type Unremovable = 'title' | 'literal' | 'minPrice' | 'maxPrice' | 'sort' | 'page'

/** A filter that a visitor can remove, by its name in the URL. */
export type Removable = 'search' | 'price' | Exclude<Field, Unremovable>

/** All of them, in the order of their chips. */
export const REMOVABLE = [
  'search',
  'level',
  'matiereId',
  'niveauId',
  'chapterId',
  'categoryId',
  'type',
  ...PAPER_FACETS,
  'price',
  'rating',
  'teacherId',
] as const satisfies readonly Removable[]

/** A value in the URL; undefined if it is missing, empty or invalid. */
function field<K extends Field>(query: URLSearchParams, name: K): ShopFilters[K] | undefined {
  const text = query.get(name)
  if (!text) return undefined
  try {
    return s.create(text, DocumentFilters.schema[name] as s.Struct<unknown>) as ShopFilters[K]
  } catch {
    return undefined
  }
}

/**
 * Reads the filters in a URL. `search` is the text of the search box (`title` in the backend),
 * `price` a price band; `page` counts from 1, for people. Invalid values are ignored and defaults
 * omitted, so that `queryOf` has one spelling for each list of documents.
 */
export function readFilters(query: URLSearchParams, isOrdered = true): ShopFilters {
  // Titles contain no control characters, some of which a database refuses.
  const text = query.get('search') ?? query.get('title') ?? ''
  const search = text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  const band = parsePriceBand(query.get('price') ?? '')
  const page = /^\d{1,6}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1
  const title = searchedPart(search) || undefined
  const papers = Object.fromEntries(PAPER_FACETS.map((name) => [name, field(query, name)]))
  const filters = {
    title,
    literal: field(query, 'literal'),
    level: isOrdered ? field(query, 'level') : undefined,
    matiereId: field(query, 'matiereId'),
    niveauId: field(query, 'niveauId'),
    chapterId: field(query, 'chapterId'),
    categoryId: field(query, 'categoryId'),
    type: field(query, 'type'),
    ...(papers as { [Name in PaperFacet]: ShopFilters[Name] }),
    minPrice: (band ? band.min : field(query, 'minPrice')) || undefined,
    maxPrice: band ? (band.max ?? undefined) : field(query, 'maxPrice'),
    teacherId: field(query, 'teacherId'),
    rating: field(query, 'rating'),
    sort: isOrdered ? field(query, 'sort') : undefined,
    page: Math.min(Math.max(page, 1) - 1, PAGE_NUMBER_MAX),
  } satisfies Record<Field, unknown>
  return withoutDefaults(filters)
}

/**
 * The filters without undefined and default values, and without options of a missing search text.
 */
function withoutDefaults({ ...filters }: ShopFilters): ShopFilters {
  const { title, sort, niveauId, matiereId } = filters
  if (title === undefined) delete filters.literal
  // A chapter is one of a class and subject.
  if (niveauId === undefined || matiereId === undefined) delete filters.chapterId
  if (sort === defaultSort(filters) || (sort === 'relevance' && title === undefined)) {
    delete filters.sort
  }
  for (const name of Object.keys(filters) as Field[]) {
    if (filters[name] === undefined) delete filters[name]
  }
  return filters
}

/** The price band of the filters' prices; null if they are another range or none. */
export function bandOfFilters({ minPrice, maxPrice }: ShopFilters): PriceBand | null {
  if (minPrice === undefined && maxPrice === undefined) return null
  return (
    PRICE_BANDS.find(
      ({ min, max }) => min === (minPrice ?? 0) && (max ?? undefined) === maxPrice,
    ) ?? null
  )
}

/** The URL's query for the filters: `?…`, or '' for none. */
export function queryOf(filters: ShopFilters): '' | `?${string}` {
  const query = new URLSearchParams()
  const set = (name: string, value: string | number | undefined) => {
    if (value !== undefined) query.set(name, String(value))
  }
  const { title, minPrice, maxPrice, page, ...rest } = filters
  set('search', title)
  for (const [name, value] of Object.entries(rest)) set(name, value)
  const band = bandOfFilters(filters)
  if (band) set('price', band.id)
  else {
    if (minPrice !== undefined) set('minPrice', inDinars(minPrice))
    if (maxPrice !== undefined) set('maxPrice', inDinars(maxPrice))
  }
  if (page) set('page', page + 1)
  return query.size > 0 ? `?${query}` : ''
}

/** The filters without one of them, on the first page. */
export function without(filters: ShopFilters, name: Removable): ShopFilters {
  const { page: _page, ...left } = filters
  if (name === 'search') delete left.title
  else if (name === 'price') {
    delete left.minPrice
    delete left.maxPrice
  } else delete left[name]
  return withoutDefaults(left)
}

/** The removable filters that are active. */
export function activeFilters(filters: ShopFilters): Removable[] {
  return REMOVABLE.filter((name) => {
    if (name === 'search') return filters.title !== undefined
    if (name === 'price') return filters.minPrice !== undefined || filters.maxPrice !== undefined
    return filters[name] !== undefined
  })
}

/** The filters of which each, alone, makes a page with heading, title and canonical address. */
const OWN_PAGES = ['level', 'niveauId', 'matiereId', 'categoryId', 'type'] as const
export type OwnPage = (typeof OWN_PAGES)[number]

/** The filter that is the page's subject; undefined if there is none, or a second one. */
export function ownPage(filters: ShopFilters): OwnPage | undefined {
  const [only, another] = activeFilters(filters)
  return another === undefined ? OWN_PAGES.find((name) => name === only) : undefined
}

/**
 * The filters in the address that search engines list in the page's place: one filter with a page of
 * its own stays, any other choice is the whole shop. The order of documents belongs to no address,
 * and neither does a further page of another order.
 */
export function canonicalFilters(filters: ShopFilters): ShopFilters {
  if (activeFilters(filters).length > 0 && !ownPage(filters)) return {}
  const { sort, page = 0, ...left } = filters
  return sort === undefined ? { ...left, page } : left
}
