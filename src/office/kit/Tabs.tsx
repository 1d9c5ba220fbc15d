import './tabs.css'
import { LANGUAGE_NAMES, LOCALES, type Locale } from '../../i18n/locales.ts'
import { Button } from '../../islands/parts/Button.tsx'

interface Props<Value extends string> {
  /** What the tabs choose, for screen readers. */
  label: string
  tabs: readonly { value: Value; text: string; count?: number }[]
  chosen: Value
  onChoose: (value: Value) => void
}

export function Tabs<Value extends string>({ label, tabs, chosen, onChoose }: Props<Value>) {
  return (
    <fieldset className="tabs cluster items-stretch lines-1">
      <legend className="visually-hidden">{label}</legend>
      {tabs.map(({ value, text, count }) => (
        <button
          type="button"
          key={value}
          className="tabs__one row inline gap-2 soft touch"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {text} {count !== undefined && <span className="tabs__count small">{count}</span>}
        </button>
      ))}
    </fieldset>
  )
}

interface LanguageChoiceProps {
  label: string
  chosen: Locale
  onChoose: (language: Locale) => void
  className?: string
}

export function LanguageChoice({ label, chosen, onChoose, className = '' }: LanguageChoiceProps) {
  return (
    <fieldset className={`language-choice cluster items-stretch ${className}`}>
      <legend className="visually-hidden">{label}</legend>
      {LOCALES.map((each) => (
        <Button
          key={each}
          lang={each}
          aria-pressed={each === chosen}
          onClick={() => onChoose(each)}
        >
          {LANGUAGE_NAMES[each]}
        </Button>
      ))}
    </fieldset>
  )
}
