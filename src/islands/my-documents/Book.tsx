import '../parts/card.css'
import { memo } from 'react'
import { progressOf } from '../../rules/library-list.ts'
import { entriesOf, type PurchasedDocument } from '../../stores/library/library.ts'
import { BookCover } from '../parts/BookCover.tsx'
import { MoreButton } from './Actions.tsx'
import { NewVersionBadge } from './NewVersion.tsx'
import { OwnStars } from './OwnStars.tsx'
import { Progress } from './Progress.tsx'
import { ReadLink } from './ReadLink.tsx'
import { useNames, useTexts } from './texts.ts'

interface Props {
  document: PurchasedDocument
}

/**
 * A book on its shelf board. The whole book opens the reader, except for the buttons at its foot.
 */
export const Book = memo(({ document }: Props) => {
  const texts = useTexts('library:page')
  const { documentId, documentTitle: title } = document
  return (
    <li className="card book" data-purchased={documentId}>
      <div className="card__cover">
        <OwnedCover document={document} />
      </div>
      <h3 className="card__title along" dir="auto">
        <ReadLink document={document} className="card__link">
          {title}
        </ReadLink>
      </h3>
      <p className="book__state">
        <NewVersionBadge document={document} />
        <span className="book__read">{progressOf(document) ? texts.readOn : texts.read}</span>
        <Progress document={document} />
      </p>
      <div className="book__foot">
        <OwnStars document={document} />
        <MoreButton document={document} />
      </div>
    </li>
  )
})

/** The cover of a document that was bought. */
export function OwnedCover({ document, sizes }: Props & { sizes?: string }) {
  const names = useNames()
  const entries = entriesOf(document)
  const { documentTitle: title, coverPath, coverMapping } = document
  return (
    <BookCover
      book={{ title, coverPath, coverMapping }}
      subject={document.matiereCode}
      lines={`${names.matiereId(entries.matiereId)}\n${names.niveauId(entries.niveauId)}`}
      tab={names.category(entries.category)}
      {...(sizes && { sizes })}
    />
  )
}
