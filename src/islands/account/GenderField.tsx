import '../../parts/field.css'
import '../parts/choices.css'
import { useId } from 'react'
import { GENDERS, type Gender } from '../../rules/roles.ts'

interface Props {
  name: string
  label: string
  error?: string | undefined
  required?: boolean
  options: Readonly<Record<Gender, string>>
}

export function GenderField({ name, label, error, required, options }: Props) {
  const id = useId()
  return (
    <fieldset className="field" aria-describedby={error ? id : undefined}>
      <legend>{label}</legend>
      <div className="cluster">
        {GENDERS.map((gender) => (
          <label className="choice" key={gender}>
            <input
              type="radio"
              name={name}
              value={gender}
              required={required}
              aria-invalid={error ? true : undefined}
            />
            {options[gender]}
          </label>
        ))}
      </div>
      {error && (
        <p className="field__error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
