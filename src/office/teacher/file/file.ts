import * as officeDocuments from '../../../contract/office-documents.ts'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import { Refusal } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import { createLoader } from '../../kit/loader.ts'
import { type PictureOf, picturesAt } from '../../kit/pictures.ts'
import { readPage } from '../documents/own.ts'

export interface OwnFile {
  documentId: number
  title: string
  version: number
  /** The number of pages with a picture; `pages` counts all pages of the file. */
  shown: number
  pages: number
  picture: PictureOf
}

const loader = createLoader<OwnFile>('own file')
export const $file = loader.$state

/** Loads the file in the page's URL: `?id=12`, or `?id=12&version=3`. */
export function loadFile(): Promise<void> {
  return loader.load(async () => {
    const query = new URLSearchParams(location.search)
    const id = Number(query.get('id'))
    if (!Number.isSafeInteger(id) || id < 1) throw new Refusal('document_not_found', 404)
    const { document, versions } = await readPage(id)
    const wanted = Number(query.get('version') ?? Number.NaN)
    const version = versions.find(
      ({ number, size }) => size !== null && (Number.isNaN(wanted) || number === wanted),
    )
    if (!version) throw new Refusal('file_missing', 404)
    const path = await ask(officeDocuments.previewOwnFile, {
      params: { id },
      query: { version: version.number },
    })
    const pages = version.pageCount ?? 1
    return {
      documentId: id,
      title: document.title,
      version: version.number,
      shown: Math.min(pages, PREVIEW_MAX_PAGES),
      pages,
      picture: picturesAt(path),
    }
  })
}
