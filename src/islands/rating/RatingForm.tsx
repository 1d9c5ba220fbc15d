import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Rating } from '../../contract/ratings.ts'
import { accountAddress } from '../../i18n/addresses.ts'
import { fillText, formatRating, pluralText } from '../../i18n/format.ts'
import type { TextsAt } from '../../i18n/texts.ts'
import { COMMENT_MAX_LENGTH, STARS } from '../../rules/rating.ts'
import {
  type Average,
  canRate,
  type RatingProblem,
  type RatingSubject,
  readAverage,
  readOwnRating,
  submitRating,
} from '../../stores/rating/rating.ts'
import { drafts } from '../../stores/session/drafts.ts'
import { logOnly } from '../../stores/shared/problem.ts'
import { Button } from '../parts/Button.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { Star } from '../parts/Star.tsx'
import { loadOwnRating } from './own-rating.ts'
import { StarChoice } from './StarChoice.tsx'
import { island, useTexts } from './texts.ts'

export type { RatingSubject } from '../../stores/rating/rating.ts'

interface Props {
  subject: RatingSubject
  /** Whether only buyers' ratings count. */
  isTrusted?: boolean
  /** Called after a rating was accepted or deleted. */
  onChange?: () => void
}

/** How long the message is shown before the log-in page opens (ms). */
const READING_MS = 2000

/** The form of a rating: five stars and a comment, filled with the user's earlier rating. */
function RatingForm({ subject, isTrusted = true, onChange }: Props) {
  const locale = useLocale()
  const texts = useTexts('ratings:form')
  const [stars, setStars] = useState(0)
  const [comment, setComment] = useState('')
  const [own, setOwn] = useState<Rating | null>(null)
  const [parts, setParts] = useState<OwnRatingParts | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<MessageKind | null>(null)
  const [fresh, setFresh] = useState<Average | null>(null)
  const isTouched = useRef(false)
  const submitButton = useRef<HTMLButtonElement>(null)
  const draft = `rating:${subject.kind}:${subject.id}`
  const commentId = useId()

  useEffect(() => {
    void readOwnRating(subject).then((found) => {
      if (!found) return
      setOwn(found)
      if (isTouched.current) return
      setStars(found.rating)
      setComment(found.comment ?? '')
    })
  }, [subject])

  // The words from before the log-in are one press away.
  useEffect(() => {
    const kept = drafts.read(draft)
    if (kept) {
      isTouched.current = true
      setStars(Number(kept.rating ?? 0))
      setComment(kept.comment ?? '')
      submitButton.current?.focus()
    }
    return () => drafts.close(draft)
  }, [draft])
  useEffect(() => {
    if (isTouched.current) drafts.keep(draft, { rating: stars ? `${stars}` : '', comment })
  }, [draft, stars, comment])

  const isOwn = own !== null
  useEffect(() => {
    if (isOwn) loadOwnRating(locale).then(setParts, logOnly('own rating'))
  }, [isOwn, locale])

  const choose = (chosen: number) => {
    isTouched.current = true
    setStars(chosen)
    if (canRate()) setMessage(null)
    else askToLogIn('logInToRate')
  }
  const askToLogIn = (problem: RatingProblem) => {
    setMessage(problem)
    setTimeout(() => location.assign(accountAddress(locale)), READING_MS)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setMessage(null)
    const outcome = await submitRating(subject, stars, comment.trim())
    setBusy(false)
    if (outcome.kind === 'refused') {
      return isLogIn(outcome.problem) ? askToLogIn(outcome.problem) : setMessage(outcome.problem)
    }
    setMessage('success')
    isTouched.current = false
    drafts.forget(draft)
    setOwn(outcome.rating)
    onChange?.()
    setFresh(await readAverage(subject))
  }
  const showRemoved = async () => {
    isTouched.current = false
    setOwn(null)
    setStars(0)
    setComment('')
    setMessage('removed')
    onChange?.()
    setFresh(await readAverage(subject))
  }

  const text =
    message === 'removed'
      ? parts?.texts.removed
      : message && messageText(message, subject, texts.messages)
  // Shown beside its subject: the stars, or the button.
  const said = message && (
    <Message kind={message === 'success' || message === 'removed' ? 'success' : 'error'}>
      {text}{' '}
      {isLogIn(message) && (
        <a className="link" href={accountAddress(locale)}>
          {texts.login}
        </a>
      )}
    </Message>
  )

  return (
    <form className="rating-form" noValidate onSubmit={submit}>
      <h3>{subject.kind === 'document' ? texts.title : texts.teacherTitle}</h3>
      <StarChoice value={stars} onChoose={choose} />
      {message === 'logInToRate' && said}
      <div className="field">
        <label htmlFor={commentId}>{texts.comment}</label>
        <textarea
          id={commentId}
          name="comment"
          dir="auto"
          rows={3}
          maxLength={COMMENT_MAX_LENGTH}
          aria-describedby={`${commentId}-hint`}
          value={comment}
          onChange={(event) => {
            isTouched.current = true
            setComment(event.target.value)
          }}
        />
        <p className="field__hint" id={`${commentId}-hint`}>
          {isOwn ? texts.own : isTrusted && texts.verifiedHint}
        </p>
      </div>
      {message !== 'logInToRate' && said}
      <p>
        <Button ref={submitButton} type="submit" kind="primary" isBusy={isBusy}>
          {isOwn ? texts.again : texts.submit}
        </Button>
      </p>
      {own && parts && <parts.OwnRating rating={own} texts={parts.texts} onRemoved={showRemoved} />}
      {fresh && <PageAverage average={fresh} />}
      {fresh?.stars && <PageCounts counts={fresh.stars} count={fresh.count} />}
    </form>
  )
}

type MessageKind = RatingProblem | 'success' | 'removed'
type OwnRatingParts = Awaited<ReturnType<typeof loadOwnRating>>

function isLogIn(message: MessageKind): boolean {
  return message === 'logInToRate' || message === 'logInToSubmit'
}

function messageText(
  message: Exclude<MessageKind, 'removed'>,
  { kind }: RatingSubject,
  messages: TextsAt<'ratings:form.messages'>,
): string {
  const isDocument = kind === 'document'
  if (message === 'logInToRate') {
    return isDocument ? messages.logInToRateDocument : messages.logInToRateTeacher
  }
  if (message === 'notFound')
    return isDocument ? messages.documentNotFound : messages.teacherNotFound
  return messages[message]
}

export default island(RatingForm)

function PageAverage({ average: { rating, count } }: { average: Average }) {
  const locale = useLocale()
  const texts = useTexts('ratings:form')
  const [place, setPlace] = useState<Element | null>(null)
  useEffect(() => {
    const found = document.querySelector('[data-average]')
    found?.replaceChildren()
    setPlace(found)
  }, [])
  if (!place) return null
  if (count === 0) {
    return createPortal(<span className="stars stars__count">{texts.none}</span>, place)
  }
  const shown = formatRating(locale, rating)
  return createPortal(
    <span className="stars">
      <span className="visually-hidden">{fillText(texts.label, { rating: shown })}</span>
      <Star />
      <span aria-hidden="true">{shown}</span>
      <span className="stars__count">
        (<bdi>{count}</bdi>)
      </span>
    </span>,
    place,
  )
}

interface PageCountsProps {
  /** From one star on. */
  counts: readonly number[]
  count: number
}

/** Updates the page's bars (`StarCounts.astro`), or adds them after the first rating. */
function PageCounts({ counts, count }: PageCountsProps) {
  const locale = useLocale()
  const texts = useTexts('ratings:form')
  const [place, setPlace] = useState<Element | null>(null)
  useEffect(() => {
    const heading = document.querySelector('.ratings > h2')
    if (!heading) return
    const found = document.querySelector('.star-counts') ?? document.createElement('ol')
    found.className = 'star-counts'
    found.replaceChildren()
    if (!found.isConnected) heading.after(found)
    setPlace(found)
  }, [])
  if (!place || count === 0) return null
  return createPortal(
    STARS.toReversed().map((stars) => (
      <li key={stars}>
        {pluralText(locale, texts.star, 'star', stars)}
        <progress max={count} value={counts[stars - 1] ?? 0} aria-hidden="true" />
        {counts[stars - 1] ?? 0}
      </li>
    )),
    place,
  )
}
