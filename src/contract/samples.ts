import { array, enums, type Infer, nullable, number, object, string, type } from 'superstruct'
import { defineCall } from './call.ts'
import { id, moment } from './values.ts'

/** A page that everybody may look at; `text`: what is written on it, a line break after each line. */
export const SamplePage = type({
  /** Its number in the document, from 1. */
  page: number(),
  /** The size of its widest picture, in pixels. */
  width: number(),
  height: number(),
  text: string(),
})
export type SamplePage = Infer<typeof SamplePage>

/** What everybody may see of a document's file. */
export const Sample = type({
  documentId: id(),
  /** Names the pages' pictures (`samplePicture` of `rules/reading.ts`); null: there is no sample. */
  key: nullable(string()),
  pages: array(SamplePage),
  /** The order in which the pages follow each other. */
  direction: enums(['rtl', 'ltr']),
  /** Bytes. */
  fileSize: number(),
  /** Since when buyers get this file. */
  fileDate: moment(),
})
export type Sample = Infer<typeof Sample>

/** The sample of a document that is for sale. */
export const getSample = defineCall({
  method: 'GET',
  path: '/documents/:id/sample',
  caller: 'anyone',
  params: object({ id: id() }),
  result: Sample,
  errors: ['document_not_found'],
})
