import './books.css'
import { memo } from 'react'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { Book } from './Book.tsx'
import { useInParts } from './use-in-parts.ts'
import type { Shown } from './use-shown.ts'

/** Shows the documents as exercise books on shelves. */
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
