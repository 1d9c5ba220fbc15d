import type { ReactNode } from 'react'
import type { FeaturedItem } from '../../../contract/office-catalogue.ts'

/** The title of an item with its author; `children` go between the two. */
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
