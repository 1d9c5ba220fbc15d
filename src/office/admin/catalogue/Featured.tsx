import './lists.css'
import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useState } from 'react'
import type { FeaturedItem, FeaturedItems } from '../../../contract/office-catalogue.ts'
import * as office from '../../../contract/office-catalogue.ts'
import { fillText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { EmptyState, LoadState } from '../../../islands/parts/States.tsx'
import { FEATURED, FEATURED_MAX, type FeaturedKind } from '../../../rules/catalogue-lists.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { ask } from '../../kit/backend.ts'
import { MoveButtons, moved, SaveOrder } from '../../kit/forms/SaveOrder.tsx'
import { createLoader } from '../../kit/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Tabs } from '../../kit/Tabs.tsx'
import { SearchForm } from '../../kit/tables/SearchForm.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { History } from '../site/History.tsx'

type Shown = office.FeaturedItems & { kind: FeaturedKind }

const loader = createLoader<Shown>('featured')
const $featured = loader.$state

function kindInAddress(): FeaturedKind {
  const name = new URLSearchParams(location.search).get('kind')
  return FEATURED.find((each) => each === name) ?? FEATURED[0]
}

async function readFeatured(kind: FeaturedKind): Promise<Shown> {
  return { ...(await ask(office.getFeatured, { params: { kind } })), kind }
}
const loadFeatured = (kind: FeaturedKind) => loader.load(() => readFeatured(kind))

async function refreshFeatured(kind: FeaturedKind): Promise<void> {
  loader.show(await readFeatured(kind))
}

async function saveFeatured(
  kind: FeaturedKind,
  revision: number,
  ids: readonly number[],
): Promise<void> {
  const body = { revision, ids: [...ids] }
  loader.show({ ...(await ask(office.saveFeatured, { params: { kind }, body })), kind })
}

const { island, useTexts } = adminTexts(
  'office-catalogue:featured',
  'office-catalogue:order',
  'office-site:conflict',
  'office-site:history',
  'office:confirm',
)

const OUTLINES = ['line', 'line', 'line', 'line', 'button'] as const

function Featured() {
  const texts = useTexts('office-catalogue:featured')
  const featured = useStore($featured, { ssr: notLoaded })
  const [kind, setKind] = useState<FeaturedKind>(FEATURED[0])
  const showKind = (next: FeaturedKind) => {
    setKind(next)
    loadFeatured(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mounting
  useEffect(() => showKind(kindInAddress()), [])
  const isOther = featured.phase === 'ready' && featured.value.kind !== kind
  return (
    <div className="lists stack gap-5">
      <p className="soft">{texts.lead}</p>
      <Tabs
        label={texts.choose}
        tabs={FEATURED.map((value) => ({ value, text: texts[value] }))}
        chosen={kind}
        onChoose={(next) => {
          history.replaceState(history.state, '', `?kind=${next}`)
          showKind(next)
        }}
      />
      <LoadState
        state={isOther ? { phase: 'loading' } : featured}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={() => loadFeatured(kind)}
      >
        {(value) => <FeaturedPanel key={kind} kind={kind} featured={value} />}
      </LoadState>
    </div>
  )
}

function FeaturedPanel({ kind, featured }: { kind: FeaturedKind; featured: FeaturedItems }) {
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
            <div className="lists__row row gap-3">
              <MoveButtons
                name={item.title}
                isFirst={at === 0}
                isLast={at === items.length - 1}
                onMove={(by) => arrange(moved(ids, item.id, by))}
              />
              <Named item={item}>
                {!item.isShown && <span className="badge badge--quiet">{texts.hidden[kind]}</span>}
              </Named>
              <Button
                kind="plain"
                aria-label={fillText(texts.removeOne, { name: item.title })}
                onClick={() => arrange(ids.filter((id) => id !== item.id))}
              >
                {texts.remove}
              </Button>
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

interface FindFeaturableProps {
  kind: FeaturedKind
  chosen: readonly number[]
  onAdd: (item: FeaturedItem) => void
}

function FindFeaturable({ kind, chosen, onAdd }: FindFeaturableProps) {
  const texts = useTexts('office-catalogue:featured')
  const { alert, attempt, isBusy } = useAction()
  const [found, setFound] = useState<readonly FeaturedItem[] | null>(null)
  const isFull = chosen.length >= FEATURED_MAX
  const find = (q: string) =>
    attempt(async () =>
      setFound(await ask(office.findFeaturable, { params: { kind }, query: { q } })),
    )
  return (
    <section className="stack">
      <SearchForm label={texts.find[kind]} submit={texts.search} isBusy={isBusy} onSearch={find} />
      {alert}
      <p role="status" className={found?.length === 0 || isFull ? 'soft' : 'visually-hidden'}>
        {isFull ? texts.isFull : found?.length === 0 ? texts.nothing : ''}
      </p>
      {found && found.length > 0 && (
        <ul className="lists__entries">
          {found.map((item) => (
            <li key={item.id} className="lists__entry">
              <div className="lists__row row gap-3">
                <Named item={item} />
                {chosen.includes(item.id) ? (
                  <span className="badge badge--quiet">{texts.isThere}</span>
                ) : (
                  <Button
                    disabled={isFull}
                    aria-label={fillText(texts.addOne, { name: item.title })}
                    onClick={() => onAdd(item)}
                  >
                    {texts.add}
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Named({ item, children }: { item: FeaturedItem; children?: ReactNode }) {
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

export default island(Featured)
