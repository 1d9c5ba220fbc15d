import '../../parts/field.css'
import {
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

interface Labels {
  name: string
  label: string
  hint?: string
  error?: string | undefined
}

/** The attributes that tie a control to its label, hint and error. */
type Control = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** A label, the control that `control` renders, its hint and its error. */
function Labelled({
  label,
  hint,
  error,
  control,
}: Omit<Labels, 'name'> & { control: (given: Control) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {control({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {hint && (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field__error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** A field for text of several lines. */
export function TextField({
  label,
  hint,
  error,
  ...area
}: Labels & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Labelled
      label={label}
      error={error}
      {...(hint && { hint })}
      control={(given) => <textarea rows={5} dir="auto" {...area} {...given} />}
    />
  )
}

interface Option {
  value: string
  text: string
}

/** Options under a heading of their own. */
export interface OptionGroup {
  heading: string
  options: readonly Option[]
}

/** A choice of one option; if none need be chosen, `options` begins with an empty one. */
export function SelectField({
  label,
  hint,
  error,
  options,
  ...select
}: Labels &
  SelectHTMLAttributes<HTMLSelectElement> & {
    options: readonly (Option | OptionGroup)[]
  }) {
  return (
    <Labelled
      label={label}
      error={error}
      {...(hint && { hint })}
      control={(given) => (
        <select {...select} {...given}>
          {options.map((each) =>
            'heading' in each ? (
              <optgroup key={each.heading} label={each.heading}>
                {each.options.map(optionOf)}
              </optgroup>
            ) : (
              optionOf(each)
            ),
          )}
        </select>
      )}
    />
  )
}

const optionOf = ({ value, text }: Option) => (
  <option key={value} value={value}>
    {text}
  </option>
)
