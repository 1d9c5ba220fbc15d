import * as s from 'superstruct'
import { defineCall } from './call.ts'
import { CODE_ERRORS, DiscountCode } from './discount-code-fields.ts'
import { dinarAmount, id } from './values.ts'
import { BundleIds, DocumentIds } from './wallet.ts'

/**
 * What documents cost the caller with a code now, which the calls that pay take as `code` beside the `total` of this
 * answer. Owned documents, and those that are not for sale, are left out. An unknown code counts against the account
 * and its address.
 */
export const quoteCode = defineCall('POST /codes/quote', 'user', {
  feature: 'codes',
  body: s.object({
    code: DiscountCode,
    documentIds: DocumentIds,
    bundleIds: s.optional(BundleIds),
  }),
  result: s.type({
    code: s.string(),
    /** The sum of the prices with the code. */
    total: dinarAmount(),
    documents: s.array(
      s.type({
        id: id(),
        /** Without the code: the final price, or the share of a bundle's. */
        priceBefore: dinarAmount(),
        price: dinarAmount(),
      }),
    ),
  }),
  errors: CODE_ERRORS,
})
