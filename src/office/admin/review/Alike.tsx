import './files.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type {
  AlikeDocument,
  Likeness,
  NotCompared,
  ReviewPage,
} from '../../../contract/office-review.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { LoadState } from '../../../islands/parts/States.tsx'
import { LIKENESS_MAX_PAGES } from '../../../rules/likeness.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { createChoiceLoader } from '../../kit/loader.ts'
import { PagePicture, PageTurner } from '../../kit/PageTurner.tsx'
import type { PictureOf } from '../../kit/pictures.ts'
import { readAlike, readPicturesOf } from './document.ts'

/** The documents most like the newest file, each with its pairs of pages side by side. */
export function Alike({ review: { document, proposed } }: { review: ReviewPage }) {
  const texts = useTexts('office-review:alike')
  const [{ $state, load }] = useState(() => createChoiceLoader<Likeness>('alike documents'))
  const likeness = useStore($state, { ssr: notLoaded })
  const start = () => void load(() => readAlike(document.id))
  useEffect(start, [document.id, load])
  if (proposed === null) return null
  return (
    <section className="review-files stack gap-3">
      <h3>{texts.title}</h3>
      <LoadState
        state={likeness}
        loading={{ text: texts.loading, shapes: ['line', 'line'] }}
        failed={texts.failed}
        onRetry={start}
      >
        {({ isCompared, documents, notCompared }) => (
          <>
            {!isCompared && (
              <p className="cluster">
                {texts.waiting} <Button onClick={start}>{texts.again}</Button>
              </p>
            )}
            {isCompared && documents.length === 0 && <p className="soft">{texts.none}</p>}
            <ol className="stack">
              {documents.map((other) => (
                <Other key={other.id} other={other} id={document.id} version={proposed} />
              ))}
            </ol>
            {notCompared && <Missing notCompared={notCompared} />}
          </>
        )}
      </LoadState>
    </section>
  )
}

/** What the reviewer has to look at by eye. */
function Missing({ notCompared }: { notCompared: NotCompared }) {
  const texts = useTexts('office-review:alike').notCompared
  const { hasMore, ...counts } = notCompared
  const missing = (['pages', 'longDocuments', 'documents', 'waiting'] as const).filter(
    (what) => counts[what] > 0,
  )
  return (
    <div className="soft">
      <p>{texts.title}</p>
      <ul className="not-compared">
        {missing.map((what) => (
          <li key={what}>
            {fillText(texts[what], { count: counts[what], most: LIKENESS_MAX_PAGES })}
          </li>
        ))}
        {hasMore && <li>{texts.more}</li>}
      </ul>
    </div>
  )
}

interface OtherProps {
  other: AlikeDocument
  /** The reviewed document and version. */
  id: number
  version: number
}

function Other({ other, ...reviewed }: OtherProps) {
  const locale = useLocale()
  const texts = useTexts('office-review:alike')
  const [isOpen, setOpen] = useState(false)
  const { id, title, teacher, percent } = other
  return (
    <li className="review-files stack gap-3">
      <p className="cluster">
        <a href={`${pathIn(locale, '/office/review-document')}?id=${id}`}>
          <bdi>{title}</bdi>
        </a>
        <bdi className="soft">{teacher}</bdi>
        <strong>{fillText(texts.percent, { percent })}</strong>
        <Button
          kind="plain"
          aria-expanded={isOpen}
          aria-label={fillText(texts.compareWith, { title: isolate(title) })}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.compare}
        </Button>
      </p>
      {isOpen && <Pairs other={other} {...reviewed} />}
    </li>
  )
}

function Pairs({ other, id, version }: OtherProps) {
  const texts = useTexts('office-review:alike')
  const pages = useTexts('office-review:pages')
  const [{ $state, load }] = useState(() => createChoiceLoader<PictureOf[]>('alike pages'))
  const pictures = useStore($state, { ssr: notLoaded })
  const start = () => {
    const both = [readPicturesOf(id, version), readPicturesOf(other.id, other.version)]
    void load(() => Promise.all(both))
  }
  useEffect(start, [id, version, other.id, other.version, load])
  const [shown, setShown] = useState(1)
  const pair = other.pages[shown - 1]
  if (!pair) return null
  return (
    <LoadState
      state={pictures}
      loading={{ text: pages.loading, shapes: ['line', 'cover'] }}
      failed={pages.failed}
      onRetry={start}
    >
      {(pictureOf) => (
        <>
          <PageTurner page={shown} count={other.pages.length} texts={pages} onTurn={setShown}>
            <span role="status">
              {fillText(texts.pair, { number: shown, count: other.pages.length, ...pair })}
            </span>
          </PageTurner>
          <div className="review-sides review-sides--pair stack">
            {[
              { page: pair.page, name: fillText(texts.mine, pair), picture: pictureOf[0] },
              { page: pair.other, name: fillText(texts.its, pair), picture: pictureOf[1] },
            ].map(({ page, name, picture }) => (
              <figure className="review-sides__one stack gap-2" key={name}>
                <figcaption>{name}</figcaption>
                <PagePicture
                  key={picture?.(page)}
                  address={picture?.(page) ?? ''}
                  name={name}
                  texts={pages}
                  onRetry={start}
                />
              </figure>
            ))}
          </div>
        </>
      )}
    </LoadState>
  )
}
