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
  /** The version of the file. */
  version: number
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
    return {
      documentId: id,
      title,
      pages: pageCount,
      shown: Math.min(pageCount, PREVIEW_MAX_PAGES),
      chosen: samplePages,
      version: version.number,
      picture: await readPictures(id, version.number),
    }
  })
}

async function readPictures(id: number, version: number): Promise<OwnSample['picture']> {
  const path = await ask(officeDocuments.previewOwnFile, { params: { id }, query: { version } })
  const address = `/api/${String(path).replace(/^[/\\]+/, '')}`
  return (page) => `${address}/${page}-480.webp`
}

let renewing: Promise<void> | null = null

/** The address of a page's picture after that at `failed` did not come, such as a link that has expired. */
export async function renewPicture(page: number, failed: string): Promise<string> {
  if (addressOf(page) === failed) {
    renewing ??= renewPictures().finally(() => {
      renewing = null
    })
    await renewing
  }
  return addressOf(page) ?? failed
}

function addressOf(page: number): string | null {
  const state = $sample.get()
  return state.phase === 'ready' ? state.value.picture(page) : null
}

async function renewPictures(): Promise<void> {
  const before = $sample.get()
  if (before.phase !== 'ready') return
  const picture = await readPictures(before.value.documentId, before.value.version)
  const state = $sample.get()
  if (state.phase === 'ready') reading.show({ ...state.value, picture })
}

/** Saves the choice; null: the first pages. */
export async function saveSample(documentId: number, pages: readonly number[] | null) {
  const input = { params: { id: documentId }, body: { pages: pages && [...pages] } }
  const { samplePages } = await ask(setSamplePages, input)
  const state = $sample.get()
  if (state.phase === 'ready') reading.show({ ...state.value, chosen: samplePages })
}
