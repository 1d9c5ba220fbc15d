import * as officeDocuments from '../../../contract/office-documents.ts'
import { setSamplePages } from '../../../contract/office-samples.ts'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import { Refusal } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import { createLoader, idInAddress } from '../../kit/loader.ts'
import { readPage } from '../documents/own.ts'

export interface OwnSample {
  documentId: number
  title: string
  /** The number of pages in the file; `shown` counts those with a picture. */
  pages: number
  shown: number
  /** The chosen sample pages; null for the first pages. */
  chosen: readonly number[] | null
  version: number
  /** Returns the URL of a page's picture (pages count from 1); it expires after some minutes. */
  picture: (page: number) => string
}

const loader = createLoader<OwnSample>('sample')
export const $sample = loader.$state

export function loadSample(): Promise<void> {
  return loader.load(async () => {
    const id = idInAddress()
    if (id === null) throw new Refusal('document_not_found', 404)
    const { document, versions } = await readPage(id)
    const { pageCount, samplePages, title } = document
    if (!pageCount) throw new Refusal('file_missing', 404)
    // The sample belongs to the file that buyers get, not to a newer one under review.
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

/**
 * A new URL of a page's picture after the URL `failed` could not be loaded; it may have expired.
 */
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
  if (state.phase === 'ready') loader.show({ ...state.value, picture })
}

/** Saves the chosen sample pages; null for the first pages. */
export async function saveSample(documentId: number, pages: readonly number[] | null) {
  const input = { params: { id: documentId }, body: { pages: pages && [...pages] } }
  const { samplePages } = await ask(setSamplePages, input)
  const state = $sample.get()
  if (state.phase === 'ready') loader.show({ ...state.value, chosen: samplePages })
}
