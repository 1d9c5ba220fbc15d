import { useAction } from '../../kit/use-action.tsx'
import './review.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Next } from '../../../contract/office-review.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { ButtonLink } from '../../../islands/parts/Button.tsx'
import { EmptyState, ErrorState, LoadState } from '../../../islands/parts/States.tsx'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { Document } from './Document.tsx'
import { followReview, openReview, review } from './document.ts'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['line', 'button', 'cover', 'line', 'button'] as const

function Review() {
  const texts = useTexts('office-review:page')
  const shown = useStore(review.$state, { ssr: notLoaded })
  const { message, said, say } = useAction()
  const [isAllDone, setAllDone] = useState(false)
  useEffect(followReview, [])

  const showNext = (what: 'accepted' | 'returned', title: string, { next }: Next) => {
    const decided = fillText(texts.done[what], { title: isolate(title) })
    say(next === null ? decided : `${decided} ${texts.nextShown}`)
    setAllDone(next === null)
    if (next !== null) void openReview(next)
    scrollTo({ top: 0 })
  }
  if (isAllDone) {
    return (
      <>
        {message}
        <EmptyState text={texts.allDone}>
          <ButtonLink kind="primary" to="/office">
            {texts.home}
          </ButtonLink>
        </EmptyState>
      </>
    )
  }
  if (shown.phase === 'failed' && shown.problem.code === 'document_not_found') {
    return (
      <ErrorState title={texts.notFound.title} text={texts.notFound.text}>
        <ButtonLink kind="primary" to="/office/review">
          {texts.notFound.list}
        </ButtonLink>
      </ErrorState>
    )
  }
  return (
    <>
      {message}
      <LoadState
        state={shown}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={review.load}
      >
        {(value) => (
          <Document
            key={value.document.id}
            review={value}
            isNext={said !== ''}
            onDecided={showNext}
          />
        )}
      </LoadState>
    </>
  )
}

export default island(Review)
