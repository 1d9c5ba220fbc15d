import { useStore } from '@nanostores/react'
import { $continued } from '../../stores/library/library.ts'
import { OwnedCover } from './Book.tsx'
import { Progress } from './Progress.tsx'
import { ReadLink } from './ReadLink.tsx'
import { useTexts } from './texts.ts'

/** The document that was last read on any device, shown above all others. */
export function ContinueReading() {
  const texts = useTexts('library:page').continue
  const document = useStore($continued)
  if (!document) return null
  return (
    <section className="panel continue-reading" aria-labelledby="continue-reading">
      <OwnedCover document={document} sizes="160px" />
      <div className="continue-reading__text">
        <h2 id="continue-reading">{texts.title}</h2>
        <p className="along" dir="auto">
          {document.documentTitle}
        </p>
        <Progress document={document} />
        <ReadLink document={document} className="button button--primary">
          {texts.action}
          <span className="visually-hidden" dir="auto">
            {' '}
            {document.documentTitle}
          </span>
        </ReadLink>
      </div>
    </section>
  )
}
