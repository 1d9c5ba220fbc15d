import './files.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { ReviewPage } from '../../../contract/office-review.ts'
import { fillText } from '../../../i18n/format.ts'
import { useTexts } from '../../../islands/parts/island.tsx'
import { LoadState } from '../../../islands/parts/States.tsx'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { createChoiceLoader } from '../../kit/loader.ts'
import { PagePicture, PageTurner } from '../../kit/PageTurner.tsx'
import type { PictureOf } from '../../kit/pictures.ts'
import { readPicturesOf } from './document.ts'
import { PaperLink } from './PaperLink.tsx'

/** The paper of a correction, whose pages a reviewer looks at beside those of the correction. */
export function Paper({ paper }: { paper: NonNullable<ReviewPage['paper']> }) {
  const texts = useTexts('office-review:pages')
  const { id, version, pageCount } = paper
  const [{ $state, load }] = useState(() => createChoiceLoader<PictureOf>('pages of a paper'))
  const pages = useStore($state, { ssr: notLoaded })
  const start = () => {
    if (version !== null) void load(() => readPicturesOf(id, version))
  }
  useEffect(start, [id, version, load])
  return (
    <section className="review-files stack gap-3">
      <h3>{texts.paper.title}</h3>
      <p>
        <PaperLink paper={paper} />
      </p>
      {version === null ? (
        <p className="soft">{texts.paper.noFile}</p>
      ) : (
        <LoadState
          state={pages}
          loading={{ text: texts.loading, shapes: ['line', 'cover'] }}
          failed={texts.failed}
          onRetry={start}
        >
          {(pictureOf) => (
            <Pages key={id} count={pageCount} pictureOf={pictureOf} onRetry={start} />
          )}
        </LoadState>
      )}
    </section>
  )
}

interface PagesProps {
  count: number
  pictureOf: PictureOf
  onRetry: () => void
}

function Pages({ count, pictureOf, onRetry }: PagesProps) {
  const texts = useTexts('office-review:pages')
  const [page, setPage] = useState(1)
  const name = fillText(texts.page, { number: page, count })
  return (
    <>
      <PageTurner
        page={page}
        count={Math.min(count, PREVIEW_MAX_PAGES)}
        texts={texts}
        onTurn={setPage}
      >
        <span role="status">{name}</span>
      </PageTurner>
      <div className="review-sides stack">
        <figure className="review-sides__one stack gap-2">
          <PagePicture
            key={pictureOf(page)}
            address={pictureOf(page)}
            name={name}
            texts={texts}
            onRetry={onRetry}
          />
        </figure>
      </div>
    </>
  )
}
