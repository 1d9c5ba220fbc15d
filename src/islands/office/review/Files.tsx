import './files.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { ReviewPage } from '../../../contract/office-review.ts'
import type { DocumentVersion } from '../../../contract/own-document.ts'
import { fillText } from '../../../i18n/format.ts'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import { createChoiceLoader } from '../../../stores/office/loader.ts'
import { type Pictures, readPictures } from '../../../stores/office/review/document.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useTexts } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { PageTurner } from '../parts/PageTurner.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { type ShownSide, Sides } from './Sides.tsx'

const OUTLINES = ['line', 'cover'] as const
const SHOWN = ['both', 'proposed', 'current'] as const

/** The pages of the current and of the proposed file, side by side. */
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
    <section className="review-files">
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

/** The teacher's note about what the new version changes. */
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
