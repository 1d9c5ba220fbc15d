import * as s from 'superstruct'
import { dinarAmount, id } from './values.ts'

/** A document's part of a bundle for sale: its share of the price, if one buys or owns all these documents. */
export const BundlePart = s.type({ id: id(), share: dinarAmount(), documentIds: s.array(id()) })
export type BundlePart = s.Infer<typeof BundlePart>
