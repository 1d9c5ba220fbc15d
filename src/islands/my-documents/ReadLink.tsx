import type { ReactNode } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { useLocale } from '../parts/island.tsx'

interface Props {
  document: PurchasedDocument
  className: string
  children: ReactNode
}

/** A link that opens the reader at the page where the owner stopped. */
export function ReadLink({ document, className, children }: Props) {
  return (
    <a className={className} href={pathIn(useLocale(), `/read/${document.documentId}`)}>
      {children}
    </a>
  )
}
