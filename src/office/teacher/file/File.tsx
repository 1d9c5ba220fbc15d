import '../../../islands/parts/field.css'
import '../../../islands/parts/select.css'
import './file.css'
import { useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { PagePicture, PageTurner } from '../../kit/PageTurner.tsx'
import { $file, loadFile, type OwnFile } from './file.ts'

const { island, useTexts } = officeTexts('office-file:pages')

const OUTLINES = ['line', 'cover'] as const

function File() {
  const texts = useTexts('office-file:pages')
  return (
    <LoadedStore store={$file} load={loadFile} texts={texts} shapes={OUTLINES}>
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
    <section className="file">
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
        onRetry={loadFile}
      />
    </section>
  )
}

export default island(File)
