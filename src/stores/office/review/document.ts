import { isSamePicture } from '../../../client/office-pictures.ts'
import type { Next, ReviewPage } from '../../../contract/office-review.ts'
import * as officeReview from '../../../contract/office-review.ts'
import type { DocumentField } from '../../../rules/document-life.ts'
import { Refusal } from '../../shared/problem.ts'
import { ask } from '../backend.ts'
import { createLoader } from '../loader.ts'
import { idInAddress } from '../page-id.ts'
import { type PictureOf, picturesAt } from '../pictures.ts'

const reading = createLoader<ReviewPage>('review of a document')
export const $review = reading.$state

/** Reads the document that the page's address names. */
export const loadReview = (): Promise<void> => reading.load(read)

/** Reloads it while the old state stays visible. */
export const refreshReview = (): Promise<void> => reading.refresh(read)

async function read(): Promise<ReviewPage> {
  const id = idInAddress()
  if (id === null) throw new Refusal('document_not_found', 404)
  const page = await ask(officeReview.getReview, { params: { id } })
  // Somebody may have gone on meanwhile.
  return idInAddress() === id ? page : read()
}

/** Goes on to another document, without leaving the page. */
export function openReview(id: number): Promise<void> {
  history.pushState(history.state, '', `${location.pathname}?id=${id}`)
  return loadReview()
}

/** Reads what the address says, now and whenever one goes back or forward; returns what ends that. */
export function followReview(): () => void {
  const follow = () => void loadReview()
  follow()
  addEventListener('popstate', follow)
  return () => removeEventListener('popstate', follow)
}

/** What is decided about a document: it is accepted, or goes back with a reason. */
export type Decision = 'accept' | { reason: string; field: DocumentField | null }

/** Decides about the document as it was read. Throws an `ApiError`. */
export function decide({ document }: ReviewPage, decision: Decision): Promise<Next> {
  const { id, revision } = document
  const params = { id }
  return decision === 'accept'
    ? ask(officeReview.acceptReview, { params, body: { revision } })
    : ask(officeReview.returnReview, { params, body: { revision, ...decision } })
}

/** The pages of what buyers have and of what they would get, as pictures. */
export type Pictures = Readonly<Record<'current' | 'proposed', PictureOf | null>>

/** Asks for the pictures of two versions' pages. Throws an `ApiError`. */
export async function readPictures(
  id: number,
  versions: Readonly<Record<keyof Pictures, number | null>>,
): Promise<Pictures> {
  const read = async (version: number | null) =>
    version === null
      ? null
      : picturesAt(await ask(officeReview.previewReview, { params: { id }, query: { version } }))
  const [current, proposed] = await Promise.all([read(versions.current), read(versions.proposed)])
  return { current, proposed }
}

/** Whether a page is the same in both versions. */
export async function samePage({ current, proposed }: Pictures, page: number): Promise<boolean> {
  if (!current || !proposed) return false
  return await isSamePicture(current(page), proposed(page))
}
