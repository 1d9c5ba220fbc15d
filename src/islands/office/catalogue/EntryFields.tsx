import { fillText } from '../../../i18n/format.ts'
import { dirOf, isLocale } from '../../../i18n/locales.ts'
import { ENTRY_NAME_MAX_LENGTH } from '../../../rules/catalogue-lists.ts'
import { LEVELS } from '../../../rules/price-bands.ts'
import type { EntryField } from '../../../stores/office/catalogue/lists.ts'
import { Field } from '../../parts/Field.tsx'
import { SelectField } from '../parts/fields.tsx'
import { useLabels, useTexts } from './texts.ts'

type FieldState = { name: string; defaultValue: string | undefined; error: string | undefined }

interface Props {
  fields: readonly EntryField[]
  fieldOf: (field: EntryField) => FieldState
}

/** The fields of an entry: names in three languages, a new class's level, a cover's colour. */
export function EntryFields({ fields, fieldOf }: Props) {
  const texts = useTexts('office-catalogue:fields')
  const levels = useTexts('catalogue:levels')
  const label = useLabels()
  return (
    <div className="lists__fields">
      {fields.map((field) => {
        const [, language] = field.split('.')
        if (field === 'level') {
          const options = LEVELS.toReversed().map((value) => ({ value, text: levels[value].name }))
          return (
            <SelectField
              key={field}
              {...fieldOf(field)}
              label={label(field)}
              options={[{ value: '', text: texts.chooseLevel }, ...options]}
            />
          )
        }
        return (
          <Field
            key={field}
            {...fieldOf(field)}
            label={label(field)}
            autoComplete="off"
            {...(field === 'color' && { type: 'color' })}
            {...(isLocale(language) && { lang: language, dir: dirOf(language) })}
          />
        )
      })}
    </div>
  )
}

/** Returns a function that gives the message for a mistake in a field. */
export function useMistakes(): (field: string, mistake: string) => string {
  const texts = useTexts('office-catalogue:mistakes')
  return (_, mistake) => {
    if (mistake === 'required') return texts.required
    if (mistake === 'maxLength') return fillText(texts.long, { most: ENTRY_NAME_MAX_LENGTH })
    return texts.wrong
  }
}
