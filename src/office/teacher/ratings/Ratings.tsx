import './ratings.css'
import '../../../parts/stars.css'
import { useEffect, useRef, useState } from 'react'
import * as ratings from '../../../contract/office-ratings.ts'
import { RATED, type ReceivedRating } from '../../../contract/office-ratings.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Star } from '../../../islands/parts/Star.tsx'
import { isBlank } from '../../../rules/pasted-text.ts'
import { ANSWER_MAX_LENGTH, STARS, starsIn } from '../../../rules/rating.ts'
import { problemOf } from '../../../stores/shared/problem.ts'
import { ask as call } from '../../kit/backend.ts'
import { TextField } from '../../kit/forms/fields.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { SaveState } from '../../kit/forms/SaveState.tsx'
import { useOfficeForm } from '../../kit/forms/use-office-form.tsx'
import { forgetKept, kept } from '../../kit/kept.ts'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { Moment, StateMark } from '../../kit/tables/cells.tsx'
import {
  documentFilter,
  filterOf,
  OfficeList,
  type TableFilter,
} from '../../kit/tables/OfficeTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useAction } from '../../kit/use-action.tsx'
import { documentOf } from '../sales/sales.ts'

const ratingsTable = tableOf(ratings.listReceivedRatings, {
  choices: { awaits: ['answer'] },
  filters: { stars: starsIn, about: subjectOf },
})

/** A filter for a document's id or for `teacher`; any other value in the URL is ignored. */
function subjectOf(value: string) {
  const of = RATED.find((each) => each === value)
  return of ? { of } : documentOf(value)
}

const ratedDocuments = resource(ratings.listRatedDocuments)

/**
 * Answers a rating, or changes the answer. If the rating or its answer has changed since it was
 * shown, the list is reloaded. Throws an `ApiError`.
 */
async function answerRating(rating: ReceivedRating, text: string): Promise<void> {
  const { id, ratedAt, answer } = rating
  const body = { text: text.trim(), ratedAt, answeredAt: answer?.answeredAt ?? null }
  try {
    ratingsTable.put(await call(ratings.answerRating, { params: { id }, body }))
  } catch (error) {
    const { code } = problemOf(error)
    if (code === 'rating_changed' || code === 'not_found') ratingsTable.refresh()
    throw error
  }
}

const { island, useTexts } = officeTexts(
  'office-ratings:ratings',
  'office:table',
  'office:form',
  'office:confirm',
)

function Ratings() {
  const texts = useTexts('office-ratings:ratings')
  const { message, say } = useAction()
  return (
    <>
      {message}
      <OfficeList table={ratingsTable} texts={texts} filters={useFilters()}>
        {({ content }, isLoading) => (
          <ul className="received-list stack" aria-label={texts.label} aria-busy={isLoading}>
            {content.map((rating) => (
              <li key={rating.id}>
                <Received rating={rating} onDone={say} />
              </li>
            ))}
          </ul>
        )}
      </OfficeList>
    </>
  )
}

function useFilters(): readonly TableFilter[] {
  const locale = useLocale()
  const { filters: labels, stars: counts } = useTexts('office-ratings:ratings')
  const about = documentFilter('about', labels.about, useLoaded(ratedDocuments) ?? [])
  return [
    filterOf('awaits', labels.awaits, ['answer'], { answer: labels.unanswered }),
    filterOf('stars', labels.stars, STARS.toReversed(), (count) =>
      pluralText(locale, counts, 'stars', count),
    ),
    { ...about, options: [{ value: 'teacher', text: labels.teacher }, ...about.options] },
  ]
}

interface ReceivedProps {
  rating: ReceivedRating
  /** Called with a message after an answer was published or removed. */
  onDone: (message: string) => void
}

function Received({ rating, onDone }: ReceivedProps) {
  const locale = useLocale()
  const texts = useTexts('office-ratings:ratings')
  // Opens the form again if an earlier visit left an unsaved answer.
  const [isWriting, setWriting] = useState(() => kept(answerDraft(rating.id)) !== undefined)
  const { ask, dialog } = useQuestions(onDone)
  const { author, document, stars, comment, ratedAt, verified, answer, awaitsAnswer } = rating
  return (
    <article className="received stack gap-2">
      <p className="cluster gap-3 lines-1">
        <span className="stars">
          <span className="visually-hidden">{pluralText(locale, texts.stars, 'stars', stars)}</span>
          <span className="row inline items-stretch" aria-hidden="true">
            {Array.from({ length: stars }, (_, at) => at).map((at) => (
              <Star key={at} />
            ))}
          </span>
        </span>
        <bdi className="strong">{author}</bdi>
        {verified && (
          <span className="badge badge--owned">
            {document ? texts.verified : texts.verifiedTeacher}
          </span>
        )}
        <span className="soft small">
          <Moment at={ratedAt} />
        </span>
      </p>
      <p className="received__about small">
        {document ? (
          <a href={`${pathIn(locale, '/office/document')}?id=${document.id}`}>
            <bdi>{document.title}</bdi>
          </a>
        ) : (
          <span className="soft">{texts.ofTeacher}</span>
        )}
      </p>
      {comment === '' ? (
        <p className="soft">{texts.wordless}</p>
      ) : (
        <p className="received__words along as-written" dir="auto">
          {comment}
        </p>
      )}
      {answer && !isWriting && (
        <div className="received__answer stack gap-2">
          <p className="cluster gap-3 lines-1">
            <strong>{texts.yours}</strong>
            <span className="soft small">
              <Moment at={answer.answeredAt} />
            </span>
          </p>
          <p className="received__words along as-written" dir="auto">
            {answer.text}
          </p>
        </div>
      )}
      {answer && awaitsAnswer && <StateMark kind="waiting" text={texts.outdated} />}
      {isWriting ? (
        <AnswerForm
          rating={rating}
          onDone={() => {
            setWriting(false)
            onDone(texts.done)
          }}
          onClose={() => setWriting(false)}
        />
      ) : (
        (comment !== '' || answer) && (
          <p className="cluster">
            {comment !== '' && (
              <Button onClick={() => setWriting(true)}>
                {answer ? texts.change : texts.write}
              </Button>
            )}
            {answer && (
              <Button
                kind="plain"
                onClick={() =>
                  ask({
                    title: texts.removal.title,
                    submit: texts.removal.yes,
                    isDanger: true,
                    text: texts.removal.text,
                    send: async () => {
                      const params = { id: rating.id }
                      ratingsTable.put(await call(ratings.removeAnswer, { params }))
                      return texts.removal.done
                    },
                  })
                }
              >
                {texts.remove}
              </Button>
            )}
          </p>
        )
      )}
      {dialog}
    </article>
  )
}

/** The key under which this browser keeps an unsaved answer. */
const answerDraft = (ratingId: number) => `answer-${ratingId}`

interface AnswerFormProps {
  rating: ReceivedRating
  onDone: () => void
  onClose: () => void
}

/** The form for an answer to a rating; its text survives a reload and a lost connection. */
function AnswerForm({ rating, onDone, onClose }: AnswerFormProps) {
  const { form: texts } = useTexts('office-ratings:ratings')
  const limit = { most: ANSWER_MAX_LENGTH }
  const box = useRef<HTMLDivElement>(null)
  const form = useOfficeForm({
    fields: ['text'],
    initial: { text: rating.answer?.text ?? '' },
    keepAs: answerDraft(rating.id),
    check: ({ text }) => {
      if (isBlank(text)) return { text: 'required' }
      return [...text.trim()].length > ANSWER_MAX_LENGTH ? { text: 'maxLength' } : {}
    },
    save: async ({ text }) => {
      await answerRating(rating, text)
      onDone()
    },
    sentence: (_, mistake) =>
      fillText(mistake === 'required' ? texts.required : texts.tooLong, limit),
  })
  // The press on "answer" moves the focus to the field, unless the form restores an earlier text.
  const isFresh = useRef(kept(answerDraft(rating.id)) === undefined)
  useEffect(() => {
    if (isFresh.current) box.current?.querySelector('textarea')?.focus()
  }, [])
  const { state } = form.saveState
  return (
    <form className="received__form stack gap-2" {...form.formProps}>
      {form.notices}
      <div ref={box}>
        <TextField
          label={texts.label}
          hint={fillText(texts.hint, limit)}
          {...form.fieldOf('text')}
        />
      </div>
      <div className="cluster">
        <Button type="submit" kind="primary" isBusy={state.phase === 'saving'}>
          {texts.submit}
        </Button>
        <Button
          kind="plain"
          onClick={() => {
            forgetKept(answerDraft(rating.id))
            onClose()
          }}
        >
          {texts.cancel}
        </Button>
        {state.phase !== 'saved' && <SaveState {...form.saveState} onRetry={form.retry} />}
      </div>
    </form>
  )
}

export default island(Ratings)
