import { randomUUID } from 'node:crypto'
import {
  createOwnDocument,
  previewOwnFile,
  setDocumentFile,
} from '../../src/contract/office-documents.ts'
import { nestedForms } from './heavy-files.ts'
import { type MeasuredShop, uploadFile } from './measured-shop.ts'

/** How many pages a draft has: 12 KB, which take more than anybody has to draw. */
const PAGES = 70

/** A draft as its teacher sees it: the path below which its pages are, `/<n>.webp`. */
export interface Draft {
  readonly path: string
  readonly pages: number
  /** The last page that was asked for; the first one is harmless. */
  page: number
}

/** Drafts of a teacher whose pages draw forms that draw forms, uploaded and checked. */
export async function heavyDrafts(shop: MeasuredShop, count: number): Promise<Draft[]> {
  const { token, ...teacher } = await shop.anOfficeTeacher()
  const drafts: Draft[] = []
  for (let variant = 0; variant < count; variant++) {
    const { id: uploadId } = await uploadFile(
      shop,
      { token, ...teacher },
      nestedForms(PAGES, variant),
    )
    const { id } = await shop.api(createOwnDocument, {}, { token, idempotencyKey: randomUUID() })
    const params = { id }
    await shop.api(setDocumentFile, { params, body: { uploadId, note: '' } }, { token })
    const answer = await fetch(`${shop.url}/api${previewOwnFile.path.replace(':id', String(id))}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    drafts.push({ path: `/api${await answer.text()}`, pages: PAGES, page: 1 })
  }
  return drafts
}

/** The next page of a draft, over and over. */
export const nextPage = (draft: Draft): string => {
  draft.page = draft.page >= draft.pages ? 2 : draft.page + 1
  return `${draft.path}/${draft.page}.webp`
}
