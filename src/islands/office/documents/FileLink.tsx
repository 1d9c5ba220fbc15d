import type { ReactNode } from 'react'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../parts/island.tsx'

interface Props {
  documentId: number
  /** The newest version by default. */
  version?: number
  children: ReactNode
}

/** A link to the pages of a document's file. */
export function FileLink({ documentId, version, children }: Props) {
  const path = pathIn(useLocale(), '/office/file')
  const query = version === undefined ? '' : `&version=${version}`
  return (
    <a className="button" href={`${path}?id=${documentId}${query}`}>
      {children}
    </a>
  )
}
