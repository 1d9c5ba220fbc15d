import './language-choice.css'
import { LANGUAGE_NAMES, LOCALES, type Locale } from '../../../i18n/locales.ts'

interface Props {
  label: string
  chosen: Locale
  onChoose: (language: Locale) => void
  className?: string
}

/** Buttons for the shop's languages, labelled in each language, with the chosen one pressed. */
export function LanguageChoice({ label, chosen, onChoose, className = '' }: Props) {
  return (
    <fieldset className={`language-choice ${className}`}>
      <legend className="visually-hidden">{label}</legend>
      {LOCALES.map((each) => (
        <button
          type="button"
          key={each}
          lang={each}
          className="button"
          aria-pressed={each === chosen}
          onClick={() => onChoose(each)}
        >
          {LANGUAGE_NAMES[each]}
        </button>
      ))}
    </fieldset>
  )
}
