import '../../../parts/field.css'
import '../../../parts/select.css'
import './file.css'
import { useState } from 'react'
import * as officeDocuments from '../../../contract/office-documents.ts'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import { Refusal } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { idInAddress, resourceBy } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { PagePicture, PageTurner } from '../../kit/PageTurner.tsx'
import { type PictureOf, picturesAt } from '../../kit/pictures.ts'
import { readPage } from '../documents/own.ts'

interface OwnFile {
  documentId: number
  title: string
  version: number
  /** The number of pages with a picture; `pages` counts all pages of the file. */
  shown: number
  pages: number
  picture: PictureOf
}

/** The file in the page's URL: `?id=12`, or `?id=12&version=3`. */
const ownFile = resourceBy('own file', async (): Promise<OwnFile> => {
  const id = idInAddress()
  if (id === null) throw new Refusal('document_not_found', 404)
  const { document, versions } = await readPage(id)
  const wanted = idInAddress('version')
  const version = versions.find(
    ({ number, size }) => size !== null && (wanted === null || number === wanted),
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

const { island, useTexts } = officeTexts('office-file:pages')

const OUTLINES = ['line', 'cover'] as const

function File() {
  const texts = useTexts('office-file:pages')
  return (
    <LoadedStore from={ownFile} texts={texts} shapes={OUTLINES}>
      {(value) => <Pages file={value} />}
    </LoadedStore>
  )
}

function Pages({ file }: { file: OwnFile }) {
  const { documentId, title, version, shown, pages } = file
  const locale = useLocale()
  const texts = useTexts('office-file:pages')
  const [page, setPage] = useState(1)
  const pageName = fillText(texts.page, { number: page, count: pages })
  return (
    <section className="file stack items-center gap-3">
      <p className="file__head">
        <a href={`${pathIn(locale, '/office/document')}?id=${documentId}`}>
          <bdi>{title || texts.back}</bdi>
        </a>{' '}
        <span className="soft">{fillText(texts.version, { number: version })}</span>
      </p>
      {shown < pages && <p className="soft">{fillText(texts.first, { count: shown })}</p>}
      <PageTurner page={page} count={shown} texts={texts} onTurn={setPage}>
        <label className="field">
          <span className="visually-hidden">{texts.go}</span>
          <select value={page} onChange={({ target }) => setPage(Number(target.value))}>
            {Array.from({ length: shown }, (_, at) => at + 1).map((each) => (
              <option key={each} value={each}>
                {fillText(texts.page, { number: each, count: pages })}
              </option>
            ))}
          </select>
        </label>
      </PageTurner>
      <PagePicture
        key={file.picture(page)}
        address={file.picture(page)}
        name={pageName}
        texts={texts}
        onRetry={ownFile.load}
      />
    </section>
  )
}

export default island(File)
