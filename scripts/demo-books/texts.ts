import { array, enums, type Infer, object, record, string } from 'superstruct'
import { readData } from '../../src/server/demo/demo-data.ts'

const Topic = object({
  language: enums(['ar', 'fr', 'en']),
  heading: string(),
  points: array(string()),
  /** A formula is between backticks. */
  series: array(array(object({ ask: string(), answer: string() }))),
})
/** A lesson in a few sentences, with series of questions and their answers. */
export type Topic = Infer<typeof Topic>

const Words = object({
  shop: string(),
  toKnow: string(),
  reminder: string(),
  contents: string(),
  howToWork: string(),
  exercises: string(),
  testYourself: string(),
  answers: string(),
  examRules: string(),
  /** Contains `{{number}}`. */
  exercise: string(),
  /** Contains `{{marks}}`; keyed by plural form. */
  marks: record(string(), string()),
})
/** The words printed around a document's content. */
export type Words = Infer<typeof Words>

/** A topic by its name in a document's `contents`. */
export const readTopic = (name: string) => readData(`topics/${name}`, Topic)
/** The words by language. */
export const readWords = () => readData('words', object({ ar: Words, fr: Words, en: Words }))
