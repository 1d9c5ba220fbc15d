import { isSamePicture } from '../../../client/page-pictures.ts'
import type { Next, ReviewPage } from '../../../contract/office-review.ts'
import * as officeReview from '../../../contract/office-review.ts'
import type { DocumentField } from '../../../rules/document-fields.ts'
import { Refusal } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import { idInAddress, resourceBy } from '../../kit/loader.ts'
import { type PictureOf, picturesAt } from '../../kit/pictures.ts'

export const review = resourceBy('review of a document', readReview)

async function readReview(): Promise<ReviewPage> {
  const id = idInAddress()
  if (id === null) throw new Refusal('document_not_found', 404)
  const page = await ask(officeReview.getReview, { params: { id } })
  // The user may have opened another document in the meantime.
  return idInAddress() === id ? page : readReview()
}

export function openReview(id: number): Promise<void> {
  history.pushState(history.state, '', `${location.pathname}?id=${id}`)
  return review.load()
}

/** Loads the document in the URL, now and on every history navigation; returns a stop function. */
export function followReview(): () => void {
  const loadFromUrl = () => void review.load()
  loadFromUrl()
  addEventListener('popstate', loadFromUrl)
  return () => removeEventListener('popstate', loadFromUrl)
}

/** The decision about a document: accept it, or return it to the teacher with a reason. */
export type Decision = 'accept' | { reason: string; field: DocumentField | null }

export function decide({ document }: ReviewPage, decision: Decision): Promise<Next> {
  const { id, revision } = document
  const params = { id }
  return decision === 'accept'
    ? ask(officeReview.acceptReview, { params, body: { revision } })
    : ask(officeReview.returnReview, { params, body: { revision, ...decision } })
}

/** The page pictures of the version that buyers have and of the proposed one. */
export type Pictures = Readonly<Record<'current' | 'proposed', PictureOf | null>>

export async function readPictures(
  id: number,
  versions: Readonly<Record<keyof Pictures, number | null>>,
): Promise<Pictures> {
  const read = async (version: number | null) =>
    version === null ? null : readPicturesOf(id, version)
  const [current, proposed] = await Promise.all([read(versions.current), read(versions.proposed)])
  return { current, proposed }
}

export async function readPicturesOf(id: number, version: number): Promise<PictureOf> {
  return picturesAt(await ask(officeReview.previewReview, { params: { id }, query: { version } }))
}

export const readAlike = (id: number) => ask(officeReview.listAlike, { params: { id } })

export async function samePage({ current, proposed }: Pictures, page: number): Promise<boolean> {
  if (!current || !proposed) return false
  return await isSamePicture(current(page), proposed(page))
}
