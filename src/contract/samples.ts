import { array, enums, type Infer, nullable, number, string, type } from 'superstruct'
import { defineCall } from './call.ts'
import { byId, id, moment } from './values.ts'

/** A page that everyone may view; `text`: the text on it, with a line break after each line. */
export const SamplePage = type({
  /** Its number in the document, from 1. */
  page: number(),
  /** The size of its widest picture, in pixels. */
  width: number(),
  height: number(),
  text: string(),
})
export type SamplePage = Infer<typeof SamplePage>

/** What everyone may see of a document's file. */
export const Sample = type({
  documentId: id(),
  /**
   * Part of the paths of the pictures (`samplePicture` of `rules/reading.ts`); null: there is no
   * sample.
   */
  key: nullable(string()),
  pages: array(SamplePage),
  /** The order in which the pages follow each other. */
  direction: enums(['rtl', 'ltr']),
  /** The size of the file in bytes. */
  fileSize: number(),
  /** Since when buyers have been getting this file. */
  fileDate: moment(),
})
export type Sample = Infer<typeof Sample>

/** The sample of a document that is for sale. */
export const getSample = defineCall('GET /documents/:id/sample', 'anyone', {
  params: byId,
  result: Sample,
  errors: ['document_not_found'],
})
