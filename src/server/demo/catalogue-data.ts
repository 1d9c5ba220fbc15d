import {
  array,
  boolean,
  coerce,
  date,
  defaulted,
  enums,
  type Infer,
  number,
  object,
  optional,
  string,
} from 'superstruct'
import { LEVELS } from '../../rules/price-bands.ts'

/** A moment of the demo shop's data. */
export const Moment = coerce(date(), string(), (text) => new Date(text))

/** A teacher whose documents the demo shop sells. */
export const Teacher = object({
  id: number(),
  firstName: string(),
  lastName: string(),
  latinName: defaulted(string(), ''),
  email: string(),
  bio: string(),
  bioFr: defaulted(string(), ''),
  /** Codes of the schools' lists. */
  subjects: defaulted(array(string()), []),
  levels: defaulted(array(enums(LEVELS)), []),
  isFeatured: boolean(),
  /** The e-mail of the demo account that is this teacher's own. */
  account: optional(string()),
})

export const Document = object({
  id: number(),
  title: string(),
  description: string(),
  /** Codes of the schools' lists. */
  subject: string(),
  niveau: string(),
  category: string(),
  teacher: number(),
  /** Dinars, like `discount`, which is the discounted price. */
  price: number(),
  discount: optional(number()),
  forTeachers: defaulted(boolean(), false),
  isFeatured: defaulted(boolean(), false),
  /** Overrides the subject's colour. */
  coverColor: optional(string()),
  /** Earlier sales, besides those to the readers. */
  sales: number(),
  uploadedAt: Moment,
  /** Its printed content: files of `topics/`, and which of their series of questions (from 1). */
  contents: array(object({ topic: string(), series: number() })),
})
/** A document that the demo shop sells. */
export type DemoDocument = Infer<typeof Document>

/** The covers that documents of the demo shop wear, in their order. */
export const Covers = array(
  object({
    color: string(),
    names: object({ ar: string(), fr: string(), en: string() }),
    isRetired: defaulted(boolean(), false),
  }),
)
