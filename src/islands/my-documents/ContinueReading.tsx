import { useStore } from '@nanostores/react'
import { $continued } from '../../stores/library/library.ts'
import { openPreview } from '../../stores/library/reading.ts'
import { useTexts } from './texts.ts'

/** The document that was last read in this browser, offered above all others. */
export function ContinueReading() {
  const texts = useTexts('library:page').continue
  const document = useStore($continued)
  if (!document) return null
  const { documentId, documentTitle: title } = document
  return (
    <section className="panel continue-reading" aria-labelledby="continue-reading">
      <h2 id="continue-reading">{texts.title}</h2>
      <p className="along" dir="auto">
        {title}
      </p>
      <button
        type="button"
        className="button button--primary"
        onClick={() => openPreview({ documentId, title })}
      >
        {texts.action}
        <span className="visually-hidden" dir="auto">
          {' '}
          {title}
        </span>
      </button>
    </section>
  )
}
