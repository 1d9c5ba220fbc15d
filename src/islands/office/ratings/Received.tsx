import '../../parts/stars.css'
import { useState } from 'react'
import type { ReceivedRating } from '../../../contract/office-ratings.ts'
import { pluralText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { kept } from '../../../stores/office/kept.ts'
import { removeAnswer } from '../../../stores/office/ratings.ts'
import { useLocale } from '../../parts/island.tsx'
import { Star } from '../../parts/Star.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { Moment, StateMark } from '../parts/cells.tsx'
import { AnswerForm, answerDraft } from './AnswerForm.tsx'
import { useTexts } from './texts.ts'

interface Props {
  rating: ReceivedRating
  /** Called with a message after an answer was published or removed. */
  onDone: (message: string) => void
}

/** A rating with its subject, and its answer or the answer form. */
export function Received({ rating, onDone }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-ratings:ratings')
  // Opens the form again if an earlier visit left an unsaved answer.
  const [isWriting, setWriting] = useState(() => kept(answerDraft(rating.id)) !== undefined)
  const [isRemoving, setRemoving] = useState(false)
  const { author, document, stars, comment, ratedAt, verified, answer, awaitsAnswer } = rating
  return (
    <article className="received">
      <p className="received__head">
        <span className="stars">
          <span className="visually-hidden">{pluralText(locale, texts.stars, 'stars', stars)}</span>
          <span className="received__stars" aria-hidden="true">
            {Array.from({ length: stars }, (_, at) => at).map((at) => (
              <Star key={at} />
            ))}
          </span>
        </span>
        <bdi className="received__who">{author}</bdi>
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
        <p className="received__words along" dir="auto">
          {comment}
        </p>
      )}
      {answer && !isWriting && (
        <div className="received__answer">
          <p className="received__head">
            <strong>{texts.yours}</strong>
            <span className="soft small">
              <Moment at={answer.answeredAt} />
            </span>
          </p>
          <p className="received__words along" dir="auto">
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
              <button type="button" className="button" onClick={() => setWriting(true)}>
                {answer ? texts.change : texts.write}
              </button>
            )}
            {answer && (
              <button
                type="button"
                className="button button--plain"
                onClick={() => setRemoving(true)}
              >
                {texts.remove}
              </button>
            )}
          </p>
        )
      )}
      {isRemoving && (
        <ConfirmDialog
          title={texts.removal.title}
          submit={texts.removal.yes}
          isDanger
          onConfirm={async () => {
            await removeAnswer(rating.id)
            onDone(texts.removal.done)
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{texts.removal.text}</p>
        </ConfirmDialog>
      )}
    </article>
  )
}
