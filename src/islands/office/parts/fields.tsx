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

/** The attributes that associate a control with its label, hint and error. */
type ControlAttributes = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** A control, rendered by `control`, with its label, hint and error. */
function Labelled({
  label,
  hint,
  error,
  control,
}: Omit<Labels, 'name'> & { control: (attributes: ControlAttributes) => ReactNode }) {
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

/** A multi-line text field. */
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
      control={(attributes) => <textarea rows={5} dir="auto" {...area} {...attributes} />}
    />
  )
}

interface Option {
  value: string
  text: string
}

/** Options under a common heading. */
export interface OptionGroup {
  heading: string
  options: readonly Option[]
}

/** A choice of one option; for an optional choice, `options` begins with an empty option. */
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
      control={(attributes) => (
        <select {...select} {...attributes}>
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
