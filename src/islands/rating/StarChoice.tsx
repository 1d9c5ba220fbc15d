import '../parts/stars.css'
import './star-choice.css'
import { pluralText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { RATING_MAX, RATING_MIN } from '../../rules/rating.ts'
import type { RatingFormTexts } from './RatingForm.tsx'

interface Props {
  locale: Locale
  texts: Pick<RatingFormTexts, 'stars' | 'star'>
  /** 0 is none yet. */
  value: number
  onChoose: (stars: number) => void
}

const ALL = Array.from({ length: RATING_MAX - RATING_MIN + 1 }, (_, at) => RATING_MIN + at)

/** Five stars that are radio buttons: a tap, or the arrows of the keyboard, choose. */
export function StarChoice({ locale, texts, value, onChoose }: Props) {
  return (
    <fieldset className="star-choice">
      <legend>{texts.stars}</legend>
      <div className="star-choice__row">
        {ALL.map((stars) => (
          <label key={stars} className={stars <= value ? 'is-lit' : undefined}>
            <input
              type="radio"
              name="rating"
              value={stars}
              className="visually-hidden"
              checked={stars === value}
              onChange={() => onChoose(stars)}
            />
            <svg className="star" viewBox="0 0 24 24" aria-hidden="true">
              <path d="m12 3 2.7 5.8 6.3.8-4.6 4.4 1.1 6.3-5.5-3.1-5.5 3.1 1.1-6.300L3 9.600l6.3-.800Z" />
            </svg>
            <span className="visually-hidden">{pluralText(locale, texts.star, 'star', stars)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
