import * as officeDocuments from '../../../contract/office-documents.ts'
import { setSamplePages } from '../../../contract/office-samples.ts'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import { Refusal } from '../../shared/problem.ts'
import { ask } from '../backend.ts'
import { createLoader } from '../loader.ts'
import { idInAddress } from '../page-id.ts'
import { readPage } from './own.ts'

/** The pages of a document's file, and those that everybody may look at. */
export interface OwnSample {
  documentId: number
  title: string
  /** How many pages the file has, and how many of them can be shown. */
  pages: number
  shown: number
  /** null: the first ones. */
  chosen: readonly number[] | null
  /** The address of a page's picture, from 1; it is good for 10 minutes. */
  picture: (page: number) => string
}

const reading = createLoader<OwnSample>('sample')
export const $sample = reading.$state

/** Loads the document that the URL names. */
export function loadSample(): Promise<void> {
  return reading.load(async () => {
    const id = idInAddress()
    if (id === null) throw new Refusal('document_not_found', 404)
    const { document, versions } = await readPage(id)
    const { pageCount, samplePages, title } = document
    if (!pageCount) throw new Refusal('file_missing', 404)
    // Of the file that buyers get, not of one that waits for review.
    const version =
      versions.find(({ state, size }) => size !== null && state === 'accepted') ??
      versions.find(({ size }) => size !== null)
    if (!version) throw new Refusal('file_missing', 404)
    const path = await ask(officeDocuments.previewOwnFile, {
      params: { id },
      query: { version: version.number },
    })
    const address = `/api/${String(path).replace(/^[/\\]+/, '')}`
    return {
      documentId: id,
      title,
      pages: pageCount,
      shown: Math.min(pageCount, PREVIEW_MAX_PAGES),
      chosen: samplePages,
      picture: (page) => `${address}/${page}-480.webp`,
    }
  })
}

/** Saves the choice; null: the first pages. */
export async function saveSample(documentId: number, pages: readonly number[] | null) {
  const input = { params: { id: documentId }, body: { pages: pages && [...pages] } }
  const { samplePages } = await ask(setSamplePages, input)
  const state = $sample.get()
  if (state.phase === 'ready') reading.show({ ...state.value, chosen: samplePages })
}
