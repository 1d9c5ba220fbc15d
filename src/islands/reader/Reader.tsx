import './reader.css'
import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import {
  $reader,
  documentIdIn,
  openDocument,
  type ReaderProblem,
} from '../../stores/reader/reader.ts'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { useLocale } from '../parts/island.tsx'
import { BackLink } from './Bars.tsx'
import { Book } from './Book.tsx'
import { island, useTexts } from './texts.ts'
import { tellDialog } from './use-keys.ts'

const LOADING = { phase: 'loading' } as const
const loading = () => LOADING

function Reader() {
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
        <BackLink />
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

const RETRYABLE: ReadonlySet<ReaderProblem> = new Set(['offline', 'busy', 'failed'])

function Trouble({ problem }: { problem: ReaderProblem }) {
  const locale = useLocale()
  const texts = useTexts('reader:actions')
  const { title, text } = useTexts('reader:problems')[problem]
  const documentId = documentIdIn(location.pathname)
  const retry = () => void openDocument(documentId)

  useEffect(() => tellDialog('failed'), [])
  // Before it is painted: a network that is back by then would not be noticed any more.
  useLayoutEffect(() => {
    if (problem !== 'offline') return
    const retryOnline = () => void openDocument(documentId)
    addEventListener('online', retryOnline)
    return () => removeEventListener('online', retryOnline)
  }, [problem, documentId])

  return (
    <div className="error-state" role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
      <p className="cluster">
        {problem === 'not_logged_in' && (
          <a className="button button--primary" href={accountAddress(locale)} target="_top">
            {texts.login}
          </a>
        )}
        {problem === 'not_bought' && documentId !== null && (
          <ButtonLink kind="primary" to={`/shop-details/${documentId}`} target="_top">
            {texts.details}
          </ButtonLink>
        )}
        {RETRYABLE.has(problem) && (
          <Button kind="primary" onClick={retry}>
            {texts.retry}
          </Button>
        )}
        {problem !== 'not_logged_in' && (
          <ButtonLink to="/my-documents" target="_top">
            {texts.library}
          </ButtonLink>
        )}
      </p>
    </div>
  )
}
