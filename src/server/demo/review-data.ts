import { array, coerce, date, enums, type Infer, number, object, string } from 'superstruct'
import { LANGUAGES } from '../../rules/languages.ts'

const Moment = coerce(date(), string(), (text) => new Date(text))

/**
 * Work that waits for administrators: documents and new versions to review, and requests to join.
 */
export const Review = object({
  requests: array(
    object({
      email: string(),
      phone: string(),
      firstName: string(),
      lastName: string(),
      subjects: string(),
      message: string(),
      locale: enums(LANGUAGES),
      daysAgo: number(),
    }),
  ),
  versions: array(object({ document: number(), file: number(), note: string(), at: Moment })),
  /** Each has the teacher, subject, class and file of the document that it is `like`. */
  submitted: array(
    object({ like: number(), title: string(), description: string(), price: number(), at: Moment }),
  ),
})
export type DemoReview = Infer<typeof Review>
