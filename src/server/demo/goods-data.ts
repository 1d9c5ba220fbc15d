import { array, coerce, date, type Infer, number, object, string } from 'superstruct'

const Moment = coerce(date(), string(), (text) => new Date(text))

/** What administrators did to ratings and documents. */
export const OfficeGoods = object({
  hidden: object({
    buyer: number(),
    document: number(),
    stars: number(),
    comment: string(),
    reason: string(),
    at: Moment,
    hiddenAt: Moment,
  }),
  /** A discount for a time; the documents have it already. */
  discount: object({
    documents: array(number()),
    percent: number(),
    begunDaysAgo: number(),
    days: number(),
    /** The id of the administrator. */
    by: number(),
    reason: string(),
  }),
})
export type DemoGoods = Infer<typeof OfficeGoods>
