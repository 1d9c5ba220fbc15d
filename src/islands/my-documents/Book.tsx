import '../../parts/card.css'
import { memo, type ReactNode } from 'react'
import { fillText, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { progressOf } from '../../rules/library-list.ts'
import { entriesOf, type PurchasedDocument } from '../../stores/library/library.ts'
import { lacks } from '../../stores/shared/features.ts'
import { BookCover } from '../parts/BookCover.tsx'
import { useLocale } from '../parts/island.tsx'
import { MoreButton, NewVersionBadge, OwnStars } from './Actions.tsx'
import { useNames, useTexts } from './texts.ts'
import { type Shown, useInParts } from './use-shown.ts'

interface Props {
  document: PurchasedDocument
}

/** The whole book opens the reader, except for the buttons at its foot. */
const Book = memo(({ document }: Props) => {
  const texts = useTexts('library:page')
  const { documentId, documentTitle: title } = document
  return (
    <li className="card book" data-purchased={documentId}>
      <div className="card__cover">
        <OwnedCover document={document} />
      </div>
      <h2 className="card__title clamp along" dir="auto">
        <ReadLink document={document} className="card__link">
          {title}
        </ReadLink>
      </h2>
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

export function OwnedCover({ document, sizes }: Props & { sizes?: string }) {
  const names = useNames()
  const entries = entriesOf(document)
  const { documentTitle: title, coverPath, coverMapping } = document
  return (
    <BookCover
      book={{ id: document.documentId, title, coverPath, coverMapping }}
      subject={document.matiereCode}
      lines={[names.matiereId(entries.matiereId), names.niveauId(entries.niveauId)]}
      kind={names.category(entries.category)}
      {...(sizes && { sizes })}
    />
  )
}

export const Books = memo(({ documents, choices }: Shown) => {
  const { items, box } = useInParts<PurchasedDocument, HTMLUListElement>(documents, choices)
  return (
    <ul className="books" ref={box}>
      {items.map((document) => (
        <Book key={document.documentId} document={document} />
      ))}
    </ul>
  )
})

export function Progress({ document }: Props) {
  const locale = useLocale()
  const texts = useTexts('library:page').progress
  const progress = progressOf(document)
  if (!progress) {
    const { pageCount } = document
    return pageCount ? (
      <span className="small soft">{pluralText(locale, texts, 'pages', pageCount)}</span>
    ) : null
  }
  const { page, pages, isThrough } = progress
  return (
    <span className="progress">
      <progress max={pages} value={page} aria-hidden="true" />
      <span className="small soft">
        {isThrough ? texts.through : fillText(texts.page, { page, pages })}
      </span>
    </span>
  )
}

interface LinkProps extends Props {
  className: string
  children: ReactNode
}

export function ReadLink({ document, className, children }: LinkProps) {
  const page = lacks('reader') ? 'shop-details' : 'read'
  return (
    <a className={className} href={pathIn(useLocale(), `/${page}/${document.documentId}`)}>
      {children}
    </a>
  )
}
