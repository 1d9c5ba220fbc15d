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
  /** Codes of the school lists. */
  subjects: defaulted(array(string()), []),
  levels: defaulted(array(enums(LEVELS)), []),
  isFeatured: boolean(),
  /** The e-mail address of the demo account that belongs to this teacher. */
  account: optional(string()),
})

export const Document = object({
  id: number(),
  title: string(),
  description: string(),
  /** Codes of the school lists. */
  subject: string(),
  schoolClass: string(),
  category: string(),
  teacher: number(),
  /** In dinars, like `discount`, which is the discounted price. */
  price: number(),
  discount: optional(number()),
  forTeachers: defaulted(boolean(), false),
  isFeatured: defaulted(boolean(), false),
  /** Overrides the subject's colour. */
  coverColor: optional(string()),
  /** Earlier sales, in addition to those to the readers. */
  sales: number(),
  uploadedAt: Moment,
  /**
   * Its printed content: files of `topics/`, and the number (from 1) of their series of questions.
   */
  contents: array(object({ topic: string(), series: number() })),
})
/** A document that the demo shop sells. */
export type DemoDocument = Infer<typeof Document>

/** The covers of the demo shop's documents, in their order. */
export const Covers = array(
  object({
    color: string(),
    names: object({ ar: string(), fr: string(), en: string() }),
    isRetired: defaulted(boolean(), false),
  }),
)
