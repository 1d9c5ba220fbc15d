import './file.css'
import { useStore } from '@nanostores/react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { dirOf } from '../../../i18n/locales.ts'
import { inLanguage } from '../../../i18n/paths.ts'
import { $file, loadFile, type OwnFile } from '../../../stores/office/documents/file.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { Icon } from '../../parts/Icon.tsx'
import { islandTexts, useLocale } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { PagePicture } from '../parts/PagePicture.tsx'

const { island, useTexts } = islandTexts('office-file:pages', 'errors:codes', 'office-errors:codes')

const OUTLINES = ['line', 'cover'] as const

/** The pages of the file in the URL, one at a time. */
function File() {
  const texts = useTexts('office-file:pages')
  const file = useStore($file, { ssr: notLoaded })
  useEffect(() => void loadFile(), [])
  return (
    <LoadState
      state={file}
      loading={{ text: texts.loading, shapes: OUTLINES }}
      failed={texts.failed}
      onRetry={loadFile}
    >
      {(value) => <Pages file={value} />}
    </LoadState>
  )
}

function Pages({ file }: { file: OwnFile }) {
  const { documentId, title, version, shown, pages } = file
  const locale = useLocale()
  const texts = useTexts('office-file:pages')
  const [page, setPage] = useState(1)
  const turn = (by: number) => setPage((now) => Math.min(Math.max(now + by, 1), shown))
  const turnByKey = (event: KeyboardEvent) => {
    const forward = dirOf(locale) === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault()
      turn(event.key === forward ? 1 : -1)
    }
  }
  const pageName = fillText(texts.page, { number: page, count: pages })
  return (
    <section className="file">
      <p className="file__head">
        <a href={`${inLanguage(locale, '/office/document')}?id=${documentId}`}>
          <bdi>{title || texts.back}</bdi>
        </a>{' '}
        <span className="soft">{fillText(texts.version, { number: version })}</span>
      </p>
      {shown < pages && <p className="soft">{fillText(texts.first, { count: shown })}</p>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are an alternative to the buttons */}
      <div className="file__bar" onKeyDown={turnByKey}>
        <button
          type="button"
          className="icon-button"
          aria-label={texts.previous}
          disabled={page === 1}
          onClick={() => turn(-1)}
        >
          <Icon name="previous" />
        </button>
        <label className="file__place">
          <span className="visually-hidden">{texts.go}</span>
          <select value={page} onChange={({ target }) => setPage(Number(target.value))}>
            {Array.from({ length: shown }, (_, at) => at + 1).map((each) => (
              <option key={each} value={each}>
                {fillText(texts.page, { number: each, count: pages })}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="icon-button file__next"
          aria-label={texts.next}
          disabled={page === shown}
          onClick={() => turn(1)}
        >
          <Icon name="previous" />
        </button>
      </div>
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
