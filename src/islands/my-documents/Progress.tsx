import { fillText, pluralText } from '../../i18n/format.ts'
import { progressOf } from '../../rules/library-list.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

interface Props {
  document: PurchasedDocument
}

/**
 * How far a document was read: the margin line, and the page in words; for an unread one, its
 * length.
 */
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
