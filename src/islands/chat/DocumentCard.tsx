import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Document } from '../../contract/catalogue.ts'
import { calledIn } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { finalPrice } from '../../rules/discount.ts'
import { coverNote } from '../../rules/pictures.ts'
import type { createMentioned } from '../../stores/chat/mentioned.ts'
import { useLocale } from '../parts/island.tsx'
import { MiniCover } from '../parts/MiniCover.tsx'
import { PriceOrFree } from '../parts/Price.tsx'
import type { MentionProps } from './side.tsx'
import { useTexts } from './texts.ts'

export function DocumentCard({ document }: { document: Document }) {
  const locale = useLocale()
  const { free } = useTexts('chat:page').document
  const { id, title, teacher, matiere } = document
  return (
    <a className="chat-document" href={pathIn(locale, `/shop-details/${id}`)}>
      <MiniCover cover={coverNote({ ...document, matiereCode: matiere.code })} />
      <span className="chat-document__title along" dir="auto">
        {title}
      </span>
      <span className="soft small along">
        <bdi>{calledIn(locale, teacher)}</bdi> ·{' '}
        <PriceOrFree amount={finalPrice(document)} free={free} />
      </span>
    </a>
  )
}

interface CustomerMentionProps extends MentionProps {
  documents: ReturnType<typeof createMentioned>
}

export function Mention({
  documents: { $documents, loadDocument },
  id,
  children,
}: CustomerMentionProps) {
  const document = useStore($documents)[id]
  useEffect(() => void loadDocument(id), [id, loadDocument])
  if (document === undefined || document === 'missing') return children
  return <DocumentCard document={document} />
}
