import type { ReactNode } from 'react'
import type { FeaturedItem } from '../../../contract/office-catalogue.ts'

/** A title with who wrote it, and what else there is to say. */
export function Named({ item, children }: { item: FeaturedItem; children?: ReactNode }) {
  return (
    <div className="lists__names">
      <strong dir="auto">{item.title}</strong>
      {children}
      {item.by && (
        <span className="soft small" dir="auto">
          {item.by}
        </span>
      )}
    </div>
  )
}
