import { array, number, optional, type Struct, type } from 'superstruct'
import { PAGE_NUMBER_MAX, PAGE_SIZE_MAX } from '../rules/pager.ts'
import { whole } from './values.ts'

/** The query of a call that returns a page of a list: the page, from 0, and its size. */
export const pageQuery = {
  page: optional(whole(0, PAGE_NUMBER_MAX)),
  size: optional(whole(1, PAGE_SIZE_MAX)),
}

/** A page of a list in the office: its items, its number from 0, and the totals. */
export function pageOf<T, S>(item: Struct<T, S>) {
  return type({
    content: array(item),
    totalElements: number(),
    totalPages: number(),
    number: number(),
    size: number(),
  })
}
