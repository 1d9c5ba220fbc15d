import { array, coerce, date, type Infer, number, object, string } from 'superstruct'

const Moment = coerce(date(), string(), (text) => new Date(text))

/** Actions of administrators on ratings and documents. */
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
  /** A timed discount, which the documents already have. */
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
