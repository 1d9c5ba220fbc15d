import { useEffect, useRef, useState } from 'react'
import type { Next, ReviewPage } from '../../../contract/office-review.ts'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { relativeText } from '../../../i18n/relative.ts'
import { type Decision, decide, refreshReview } from '../../../stores/office/review/document.ts'
import { useLocale } from '../../parts/island.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'
import { Checks } from './Checks.tsx'
import { Facts } from './Facts.tsx'
import { LaterFiles, LaterHistory, LaterPreview } from './later-parts.tsx'
import { ReturnForm } from './ReturnForm.tsx'
import type { Subject } from './subject.ts'
import { useTexts } from './texts.ts'

interface Props {
  review: ReviewPage
  /** Whether the page shows this document after a decision about another one. */
  isNext: boolean
  onDecided: (what: 'accepted' | 'returned', title: string, next: Next) => void
}

/** A document with all information for a decision, and the decision buttons. */
export function Document({ review, isNext, onDecided }: Props) {
  const { document, what } = review
  const texts = useTexts('office-review:page')
  const [subject, setSubject] = useState<Subject | null>(null)
  const { alert, attempt, isBusy } = useAttempt()

  const act = (decision: Decision) =>
    attempt(
      async () => {
        const next = await decide(review, decision)
        onDecided(decision === 'accept' ? 'accepted' : 'returned', document.title, next)
      },
      ({ status }) => {
        // The document has changed, or another administrator has decided: show its current state.
        if (status === 409) void refreshReview()
      },
    )
  const form = (about: Subject) =>
    subject === about &&
    what !== null && (
      <ReturnForm
        subject={about}
        isBusy={isBusy}
        onSend={(reason) => act({ reason, field: about === 'whole' ? null : about })}
        onCancel={() => setSubject(null)}
      />
    )
  return (
    <article className="review">
      {alert}
      <Heading review={review} isNext={isNext} />
      <LaterFiles review={review} />
      <div className="review__parts">
        <div className="review__said">
          <Facts document={document} {...(what !== null && { onNote: setSubject })} form={form} />
          <Checks review={review} />
        </div>
        <LaterPreview document={document} />
      </div>
      <LaterHistory review={review} />
      {what !== null && (
        <div className="review__foot">
          {form('whole')}
          <div className="review__acts">
            <button
              type="button"
              className="button button--primary"
              aria-busy={isBusy}
              onClick={() => act('accept')}
            >
              {texts.accept[what]}
            </button>
            <button
              type="button"
              className="button"
              aria-expanded={subject === 'whole'}
              onClick={() => setSubject(subject === 'whole' ? null : 'whole')}
            >
              {texts.back}
            </button>
          </div>
        </div>
      )}
    </article>
  )
}

interface HeadingProps {
  review: ReviewPage
  isNext: boolean
}

function Heading({ review: { document, what, since }, isNext }: HeadingProps) {
  const locale = useLocale()
  const texts = useTexts('office-review:page')
  const title = useRef<HTMLHeadingElement>(null)
  // Moves screen readers to the title of the next document.
  useEffect(() => {
    if (isNext) title.current?.focus({ preventScroll: true })
  }, [isNext])
  return (
    <header className="review__head">
      <h2 ref={title} tabIndex={-1} dir="auto" className="along">
        {document.title}
      </h2>
      <p className="soft">
        {what ? texts.waits[what] : texts.decided}
        <span>
          {' · '}
          {fillText(texts.by, { teacher: `\u2068${document.teacher.name}\u2069` })}
          {since &&
            ` · ${fillText(texts.since, { when: relativeText(locale, since, Date.now(), texts.now) })}`}
        </span>
      </p>
      {what === null && (
        <p>
          <a className="button" href={pathIn(locale, '/office/review')}>
            {texts.next}
          </a>
        </p>
      )}
    </header>
  )
}
