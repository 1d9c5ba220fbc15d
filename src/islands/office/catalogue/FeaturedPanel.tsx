import { useState } from 'react'
import type { FeaturedItem, FeaturedItems } from '../../../contract/office-catalogue.ts'
import { fillText } from '../../../i18n/format.ts'
import { FEATURED_MAX, type FeaturedKind } from '../../../rules/catalogue-lists.ts'
import { refreshFeatured, saveFeatured } from '../../../stores/office/catalogue/featured.ts'
import { useTexts } from '../../parts/island.tsx'
import { EmptyState } from '../../parts/States.tsx'
import { MoveButtons, moved, SaveOrder } from '../parts/SaveOrder.tsx'
import { History } from '../site/History.tsx'
import { FindFeaturable } from './FindFeaturable.tsx'
import { Named } from './Named.tsx'

interface Props {
  kind: FeaturedKind
  featured: FeaturedItems
}

/** The featured items in order, a search for items to add, and the history. */
export function FeaturedPanel({ kind, featured }: Props) {
  const texts = useTexts('office-catalogue:featured')
  const [unsavedItems, setUnsavedItems] = useState<readonly FeaturedItem[] | null>(null)
  const items = unsavedItems ?? featured.items
  const ids = items.map(({ id }) => id)
  const arrange = (next: readonly number[]) =>
    setUnsavedItems(next.flatMap((id) => items.find((each) => each.id === id) ?? []))
  return (
    <>
      <p className="soft" role="status">
        {fillText(texts.full, { count: items.length, most: FEATURED_MAX })}
      </p>
      {items.length === 0 && <EmptyState text={texts.empty[kind]} />}
      <ol className="lists__entries">
        {items.map((item, at) => (
          <li key={item.id} className="lists__entry">
            <div className="lists__row">
              <MoveButtons
                name={item.title}
                isFirst={at === 0}
                isLast={at === items.length - 1}
                onMove={(by) => arrange(moved(ids, item.id, by))}
              />
              <Named item={item}>
                {!item.isShown && <span className="badge badge--quiet">{texts.hidden[kind]}</span>}
              </Named>
              <button
                type="button"
                className="button button--plain"
                aria-label={fillText(texts.removeOne, { name: item.title })}
                onClick={() => arrange(ids.filter((id) => id !== item.id))}
              >
                {texts.remove}
              </button>
            </div>
          </li>
        ))}
      </ol>
      {unsavedItems && (
        <SaveOrder
          texts={texts}
          mine={items.map(({ title }) => title)}
          theirs={featured.items.map(({ title }) => title)}
          onSave={async () => {
            await saveFeatured(kind, featured.revision, ids)
            setUnsavedItems(null)
          }}
          onConflict={() => refreshFeatured(kind)}
          onDrop={() => setUnsavedItems(null)}
        />
      )}
      <FindFeaturable
        kind={kind}
        chosen={ids}
        onAdd={(item) => setUnsavedItems([...items, item])}
      />
      <section>
        <h2 className="lists__heading">{texts.history}</h2>
        <History
          subject={`featured ${kind}`}
          revision={featured.revision}
          label={() => texts.label}
        />
      </section>
    </>
  )
}
