import { useEffect } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { documentIdIn, openDocument, type ReaderProblem } from '../../stores/reader/reader.ts'
import { accountAddress } from '../parts/addresses.ts'
import { useLocale } from '../parts/island.tsx'
import { tellDialog } from './frame.ts'
import { useTexts } from './texts.ts'

const RETRYABLE: ReadonlySet<ReaderProblem> = new Set(['offline', 'busy', 'failed'])

/** Explains why the document is not shown, and offers the next steps. */
export function Trouble({ problem }: { problem: ReaderProblem }) {
  const locale = useLocale()
  const texts = useTexts('reader:actions')
  const { title, text } = useTexts('reader:problems')[problem]
  const documentId = documentIdIn(location.pathname)
  const retry = () => void openDocument(documentId)

  useEffect(() => tellDialog('failed'), [])
  useEffect(() => {
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
          <a
            className="button button--primary"
            href={pathIn(locale, `/shop-details/${documentId}`)}
            target="_top"
          >
            {texts.details}
          </a>
        )}
        {RETRYABLE.has(problem) && (
          <button type="button" className="button button--primary" onClick={retry}>
            {texts.retry}
          </button>
        )}
        {problem !== 'not_logged_in' && (
          <a className="button" href={pathIn(locale, '/my-documents')} target="_top">
            {texts.library}
          </a>
        )}
      </p>
    </div>
  )
}
