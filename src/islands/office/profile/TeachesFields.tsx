import '../../parts/choices.css'
import { useRef } from 'react'
import type { Listed } from '../../../contract/references.ts'
import { fillText } from '../../../i18n/format.ts'
import { LEVELS } from '../../../rules/price-bands.ts'
import { TEACHER_SUBJECTS_MAX } from '../../../rules/teacher-profile.ts'
import { joined, type ProfileValues, parted } from '../../../stores/office/profile/text.ts'
import { useTexts } from '../../parts/island.tsx'
import type { FieldOf } from './field-of.ts'
import { useNames } from './names.ts'

interface Props {
  fieldOf: FieldOf
  values: ProfileValues
  subjects: readonly Listed[]
}

/** The fields for the subjects and the levels that the teacher teaches. */
export function TeachesFields({ fieldOf, values, subjects }: Props) {
  const texts = useTexts('office-profile:form')
  const fields = useTexts('office-profile:fields')
  const names = useNames()
  const own = parted(fieldOf('subjectIds').defaultValue)
  const offered = subjects.filter(({ id, retired }) => !retired || own.includes(String(id)))
  return (
    <section className="stack">
      <h2>{texts.teaches}</h2>
      <Choices
        {...fieldOf('subjectIds')}
        legend={fields.subjectIds}
        hint={fillText(texts.most, { most: TEACHER_SUBJECTS_MAX })}
        most={TEACHER_SUBJECTS_MAX}
        value={values.subjectIds}
        options={offered.map((each) => ({ value: String(each.id), text: names.subject(each) }))}
      />
      <Choices
        {...fieldOf('levels')}
        legend={fields.levels}
        most={LEVELS.length}
        value={values.levels}
        options={LEVELS.map((value) => ({ value, text: names.level(value) }))}
      />
    </section>
  )
}

interface ChoicesProps extends ReturnType<FieldOf> {
  legend: string
  hint?: string
  most: number
  /** The chosen values as a comma-separated list. */
  value: string
  options: readonly { value: string; text: string }[]
}

/** A choice of several options; the form reads the chosen values from one hidden field. */
function Choices({ name, defaultValue, error, legend, hint, most, value, options }: ChoicesProps) {
  const field = useRef<HTMLInputElement>(null)
  const chosen = parted(value)
  const toggle = (toggled: string) => {
    const next = chosen.includes(toggled)
      ? chosen.filter((each) => each !== toggled)
      : [...chosen, toggled]
    const inOrder = options.map((each) => each.value).filter((each) => next.includes(each))
    // Set before the event bubbles to the form, whose handler reads the fields.
    if (field.current) field.current.value = joined(inOrder)
  }
  return (
    <fieldset className="field profile__choices">
      <legend>{legend}</legend>
      {hint && <p className="field__hint">{hint}</p>}
      {/* Not `type="hidden"`, because React resets its value at every rendering. */}
      <input ref={field} type="text" hidden name={name} defaultValue={defaultValue} />
      <div className="profile__options">
        {options.map((option) => {
          const isChosen = chosen.includes(option.value)
          return (
            <label className="choice-card" key={option.value}>
              <input
                type="checkbox"
                checked={isChosen}
                disabled={!isChosen && chosen.length >= most}
                onChange={() => toggle(option.value)}
              />
              {option.text}
            </label>
          )
        })}
      </div>
      {error && <p className="field__error">{error}</p>}
    </fieldset>
  )
}
