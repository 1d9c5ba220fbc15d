import { useState } from 'react'
import type { Rating } from '../../contract/ratings.ts'
import type { Arabic } from '../../i18n/texts.ts'
import { UNKNOWN_ID } from '../../rules/features.ts'
import { removeRating } from '../../stores/rating/rating.ts'
import { SendLink } from '../account/SendLink.tsx'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { Message } from '../parts/Message.tsx'

export type OwnRatingTexts = Arabic['own-rating']

interface Props {
  rating: Rating
  texts: OwnRatingTexts
  onRemoved: () => void
}

export function OwnRating({ rating, texts, onRemoved }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)

  const remove = async () => {
    if (isBusy) return
    setBusy(true)
    setFailed(false)
    const isRemoved = await removeRating(rating.id)
    setBusy(false)
    setAsking(false)
    setFailed(!isRemoved)
    if (isRemoved) onRemoved()
  }

  return (
    <div className="own-rating">
      <Standing rating={rating} texts={texts} />
      {hasFailed && <Message kind="error" text={texts.removeFailed} />}
      {/* Another backend may not say the rating's id. */}
      {rating.id !== UNKNOWN_ID && (
        <p>
          <Button onClick={() => setAsking(true)}>{texts.remove}</Button>
        </p>
      )}
      {isAsking && (
        <Dialog
          title={texts.dialog.title}
          closeText={texts.dialog.close}
          onClose={() => setAsking(false)}
          isBusy={isBusy}
          foot={
            <>
              <Button kind="danger" isBusy={isBusy} onClick={remove}>
                {texts.dialog.yes}
              </Button>
              <Button disabled={isBusy} onClick={() => setAsking(false)}>
                {texts.dialog.no}
              </Button>
            </>
          }
        >
          <p>{texts.dialog.text}</p>
        </Dialog>
      )}
    </div>
  )
}

function Standing({ rating, texts }: Pick<Props, 'rating' | 'texts'>) {
  if (rating.hiddenReason) {
    return (
      <div className="alert alert--error">
        <p>{texts.hidden}</p>
        <p dir="auto">{rating.hiddenReason}</p>
      </div>
    )
  }
  if (rating.awaitsConfirmation) {
    return (
      <>
        <p className="alert">{texts.waiting}</p>
        <SendLink texts={texts.link} />
      </>
    )
  }
  return <p className="soft small">{rating.verified ? texts.verified : texts.shown}</p>
}
