import { pluralText } from '../../i18n/format.ts'
import { STARS } from '../../rules/rating.ts'
import { useLocale } from '../parts/island.tsx'
import { Star } from '../parts/Star.tsx'
import { useTexts } from './texts.ts'

interface Props {
  /** 0 means none yet. */
  value: number
  onChoose: (stars: number) => void
}

/** The stars, which are radio buttons: chosen by a tap or by the arrow keys. */
export function StarChoice({ value, onChoose }: Props) {
  const locale = useLocale()
  const texts = useTexts('ratings:form')
  return (
    <fieldset className="star-choice">
      <legend>{texts.stars}</legend>
      <div className="star-choice__row">
        {STARS.map((stars) => (
          <label key={stars} className={stars <= value ? 'is-lit' : undefined}>
            <input
              type="radio"
              name="rating"
              value={stars}
              className="visually-hidden"
              checked={stars === value}
              onChange={() => onChoose(stars)}
            />
            <Star />
            <span className="visually-hidden">{pluralText(locale, texts.star, 'star', stars)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
