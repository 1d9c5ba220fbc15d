import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { coverNote } from '../../rules/cover.ts'
import { finalPrice } from '../../rules/discount.ts'
import type { Document } from '../../stores/chat/documents.ts'
import { MiniCover } from '../parts/MiniCover.tsx'
import { PriceOrFree } from '../parts/Price.tsx'

interface Props {
  document: Document
  locale: Locale
  free: string
}

/** A document in a conversation: its little book, title, teacher and price; leads to its page. */
export function DocumentCard({ document, locale, free }: Props) {
  const { id, title, teacher, matiere } = document
  return (
    <a className="chat-document" href={pathIn(locale, `/shop-details/${id}`)}>
      <MiniCover cover={coverNote({ ...document, matiereCode: matiere.code })} />
      <span className="chat-document__title along" dir="auto">
        {title}
      </span>
      <span className="soft small along">
        <bdi>{teacher.name}</bdi> ·{' '}
        <PriceOrFree locale={locale} amount={finalPrice(document)} free={free} />
      </span>
    </a>
  )
}
