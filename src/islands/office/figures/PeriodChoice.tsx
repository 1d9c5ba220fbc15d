import { labelled } from '../../../i18n/listed.ts'
import { earlierOf, PERIOD_UNITS, tunisianDay } from '../../../rules/tunisia-time.ts'
import { type FigureView, hasBegun, neighbourOf } from '../../../stores/office/figures.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useLocale } from '../../parts/island.tsx'
import { SelectField } from '../parts/fields.tsx'
import { periodText } from './period-text.ts'
import { useTexts } from './texts.ts'

interface Props {
  view: FigureView
  onChoose: (view: FigureView) => void
}

/** Chooses the length of the period, and steps to the previous or the next period. */
export function PeriodChoice({ view, onChoose }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-figures:figures')
  const before = neighbourOf(view, -1)
  const after = neighbourOf(view, 1)
  const today = tunisianDay(new Date())
  return (
    <nav className="period" aria-label={texts.nav}>
      <SelectField
        name="unit"
        label={texts.unit}
        value={view.unit}
        options={PERIOD_UNITS.map((unit) => ({ value: unit, text: texts.units[unit] }))}
        onChange={({ target }) => {
          const unit = PERIOD_UNITS.find((each) => each === target.value) ?? 'month'
          onChoose({ unit, at: earlierOf(view.at, today) })
        }}
      />
      <div className="period__step">
        <button type="button" className="button" onClick={() => onChoose(before)}>
          <Icon name="previous" />
          <span className="visually-hidden">
            {labelled(locale, texts.earlier, periodText(locale, before.unit, before.at))}
          </span>
        </button>
        <h2 className="period__name" aria-live="polite">
          {periodText(locale, view.unit, view.at)}
        </h2>
        <button
          type="button"
          className="button period__later"
          disabled={!hasBegun(after)}
          onClick={() => onChoose(after)}
        >
          <Icon name="previous" />
          <span className="visually-hidden">
            {labelled(locale, texts.later, periodText(locale, after.unit, after.at))}
          </span>
        </button>
      </div>
    </nav>
  )
}
