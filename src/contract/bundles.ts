import * as s from 'superstruct'
import { defineCall } from './call.ts'
import { KeptInCart } from './carts.ts'
import { byId, dinarAmount, id } from './values.ts'

/** Documents of one teacher that are sold together for less than singly; each says its share of the price. */
export const Bundle = s.type({
  id: id(),
  price: dinarAmount(),
  documents: s.array(KeptInCart),
})
export type Bundle = s.Infer<typeof Bundle>

/** The bundles for sale that have a document: the three cheapest, in this order. */
export const listBundles = defineCall('GET /documents/:id/bundles', 'anyone', {
  feature: 'bundles',
  params: byId,
  result: s.array(Bundle),
})
