import { array, boolean, defaulted, object, string } from 'superstruct'

/** The covers that documents of the demo shop wear, in their order. */
export const Covers = array(
  object({
    color: string(),
    names: object({ ar: string(), fr: string(), en: string() }),
    isRetired: defaulted(boolean(), false),
  }),
)
