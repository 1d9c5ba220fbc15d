import './files.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { ReviewPage } from '../../../contract/office-review.ts'
import type { DocumentVersion } from '../../../contract/own-document.ts'
import { fillText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { LoadState } from '../../../islands/parts/States.tsx'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { createChoiceLoader } from '../../kit/loader.ts'
import { PagePicture, PageTurner } from '../../kit/PageTurner.tsx'
import { Tabs } from '../../kit/Tabs.tsx'
import { StateMark } from '../../kit/tables/cells.tsx'
import { type Pictures, readPictures, samePage } from './document.ts'

const OUTLINES = ['line', 'cover'] as const
const SHOWN = ['both', 'proposed', 'current'] as const

export function Files({ review }: { review: ReviewPage }) {
  const { document, versions, current, proposed } = review
  const texts = useTexts('office-review:pages')
  const [{ $state, load }] = useState(() => createChoiceLoader<Pictures>('pages of a review'))
  const pictures = useStore($state, { ssr: notLoaded })
  const start = () => void load(() => readPictures(document.id, { current, proposed }))
  useEffect(start, [document.id, current, proposed, load])
  const find = (number: number | null) => versions.find((each) => each.number === number)
  const sides = { current: find(current), proposed: find(proposed) }
  return (
    <section className="review-files stack gap-3">
      <h3>{texts.title}</h3>
      {proposed === null ? (
        <p className="soft">{texts.noFile}</p>
      ) : (
        <>
          {sides.current && <Note version={sides.proposed} />}
          <LoadState
            state={pictures}
            loading={{ text: texts.loading, shapes: OUTLINES }}
            failed={texts.failed}
            onRetry={start}
          >
            {(value) => <Pages sides={sides} pictures={value} onRetry={start} />}
          </LoadState>
        </>
      )}
    </section>
  )
}

function Note({ version }: { version: DocumentVersion | undefined }) {
  const texts = useTexts('office-review:page')
  if (!version?.note) return <p className="soft">{texts.noNote}</p>
  return (
    <p>
      <span className="soft">{texts.changed}</span> <bdi>{version.note}</bdi>
    </p>
  )
}

interface PagesProps {
  sides: { current: DocumentVersion | undefined; proposed: DocumentVersion | undefined }
  pictures: Pictures
  onRetry: () => void
}

function Pages({ sides, pictures, onRetry }: PagesProps) {
  const texts = useTexts('office-review:pages')
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<ShownSide>('both')
  const count = Math.max(sides.current?.pageCount ?? 0, sides.proposed?.pageCount ?? 1)
  const most = Math.min(count, PREVIEW_MAX_PAGES)
  const pageName = fillText(texts.page, { number: page, count })
  return (
    <>
      {sides.current && (
        // On a phone: shows both files one below the other, or only one of them.
        <Tabs
          label={texts.side}
          tabs={SHOWN.map((value) => ({ value, text: texts.sides[value] }))}
          chosen={shown}
          onChoose={setShown}
        />
      )}
      <PageTurner page={page} count={most} texts={texts} onTurn={setPage}>
        <span role="status">{pageName}</span>
      </PageTurner>
      {most < count && <p className="soft">{fillText(texts.first, { count: most })}</p>}
      <Sides
        sides={sides}
        pictures={pictures}
        page={page}
        pageName={pageName}
        shown={shown}
        onRetry={onRetry}
      />
    </>
  )
}

/** The files that a phone shows. */
type ShownSide = 'both' | 'current' | 'proposed'

interface Props {
  sides: { current: DocumentVersion | undefined; proposed: DocumentVersion | undefined }
  pictures: Pictures
  page: number
  /** The page's name, such as "Page 3 of 12". */
  pageName: string
  shown: ShownSide
  onRetry: () => void
}

function Sides({ sides, pictures, page, pageName, shown, onRetry }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-review:pages')
  const isPair = sides.current !== undefined
  return (
    <>
      {isPair && <Change pictures={pictures} page={page} sides={sides} />}
      <div
        className={isPair ? 'review-sides review-sides--pair stack' : 'review-sides stack'}
        data-shown={shown}
      >
        {(['current', 'proposed'] as const).map((side) => {
          const version = sides[side]
          const picture = pictures[side]
          if (!version || !picture) return null
          const name = isPair ? texts[side] : texts.one
          return (
            <figure className="review-sides__one stack gap-2" data-side={side} key={side}>
              <figcaption className="cluster items-stretch gap-3 lines-0">
                <strong>{name}</strong> <Size version={version} />
              </figcaption>
              {page <= (version.pageCount ?? 1) ? (
                <PagePicture
                  key={picture(page)}
                  address={picture(page)}
                  name={labelled(locale, name, pageName)}
                  texts={texts}
                  onRetry={onRetry}
                />
              ) : (
                <p className="page-picture soft">{texts.none}</p>
              )}
            </figure>
          )
        })}
      </div>
    </>
  )
}

const KILOBYTE = 1024

function Size({ version: { pageCount, size } }: { version: DocumentVersion }) {
  const texts = useTexts('office-review:pages')
  const kilobytes = Math.max(1, Math.round((size ?? 0) / KILOBYTE))
  const sizeText =
    kilobytes < KILOBYTE
      ? fillText(texts.kilobytes, { size: kilobytes })
      : fillText(texts.megabytes, { size: Math.round(kilobytes / KILOBYTE) })
  return (
    <span className="soft small">
      {fillText(texts.pagesAndSize, { pages: pageCount ?? 1, size: sizeText })}
    </span>
  )
}

/** Shows whether the page has changed: pictures of equal pages have identical bytes. */
function Change({ sides, pictures, page }: Pick<Props, 'sides' | 'pictures' | 'page'>) {
  const texts = useTexts('office-review:pages')
  const [isSame, setSame] = useState<boolean | null>(null)
  const isInBoth = [sides.current, sides.proposed].every((side) => page <= (side?.pageCount ?? 1))
  useEffect(() => {
    let isStale = false
    setSame(null)
    if (isInBoth) {
      void samePage(pictures, page).then((same) => {
        if (!isStale) setSame(same)
      })
    }
    return () => {
      isStale = true
    }
  }, [pictures, page, isInBoth])
  return (
    <p className="review-sides__change" role="status">
      {isSame !== null && (
        <StateMark kind={isSame ? 'off' : 'waiting'} text={isSame ? texts.same : texts.differs} />
      )}
    </p>
  )
}
