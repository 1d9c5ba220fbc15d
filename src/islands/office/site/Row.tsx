import { labelled } from '../../../i18n/listed.ts'
import {
  DEFAULT_LOCALE,
  dirOf,
  LANGUAGE_NAMES,
  LOCALES,
  type Locale,
} from '../../../i18n/locales.ts'
import { isBlank } from '../../../rules/pasted-text.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { TextField } from '../parts/fields.tsx'
import type { FieldOf } from './field-of.ts'

interface Props {
  /** The language shown on a phone. */
  language: Locale
  values: Readonly<Record<string, string>>
  label: (field: string) => string
  pathOf: (language: Locale) => string
  fieldOf: FieldOf
  isArea: boolean
  rows?: number
  hint?: string
}

/** One field in three languages side by side; a phone shows only the chosen language. */
export function Row(props: Props) {
  const { language, values, label, pathOf, fieldOf, isArea, rows = 3, hint } = props
  const locale = useLocale()
  const texts = useTexts('office-site:editor')
  return (
    <div className="site-page__row">
      {LOCALES.map((each) => {
        const field = pathOf(each)
        const isMissing = isBlank(values[field] ?? '')
        const { defaultValue, ...fieldProps } = fieldOf(field)
        return (
          <div key={each} data-shown={each === language || undefined}>
            <TextField
              {...fieldProps}
              defaultValue={values[field] ?? defaultValue}
              label={`${label(field)}`}
              lang={each}
              dir={dirOf(each)}
              rows={isArea ? rows : 1}
              {...(hint && { hint })}
            />
            {isMissing && each !== DEFAULT_LOCALE && (
              <p className="site-page__lacks small">
                {labelled(locale, LANGUAGE_NAMES[each], texts.lacking)}
              </p>
            )}
          </div>
        )
      })}
    </div>
  )
}
