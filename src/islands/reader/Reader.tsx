import './reader.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { $reader, documentIdIn, openDocument } from '../../stores/reader/reader.ts'
import { useLocale } from '../parts/island.tsx'
import { Book } from './Book.tsx'
import { ReaderIcon } from './ReaderIcon.tsx'
import { Trouble } from './Trouble.tsx'
import { island, useTexts } from './texts.ts'

const LOADING = { phase: 'loading' } as const
const loading = () => LOADING

/** The pages of the document in the URL, or the reason why they are not shown. */
function Reader() {
  const locale = useLocale()
  const texts = useTexts('reader:page')
  const state = useStore($reader, { ssr: loading })
  useEffect(() => {
    void openDocument(documentIdIn(location.pathname))
  }, [])

  if (state.phase === 'shown') {
    return <Book reading={state.reading} isKept={state.isKept} />
  }
  return (
    <div className="reader">
      <header className="reader__bar reader__bar--top">
        <a
          className="icon-button reader__back"
          href={pathIn(locale, '/my-documents')}
          aria-label={texts.back}
        >
          <ReaderIcon name="previous" />
        </a>
      </header>
      <main id="main" className="reader__wait">
        {state.phase === 'loading' ? (
          <p role="status">
            <span className="spinner" /> {texts.loading}
          </p>
        ) : (
          <Trouble problem={state.problem} />
        )}
      </main>
    </div>
  )
}

export default island(Reader)
