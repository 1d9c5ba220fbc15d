import '../../parts/field.css'
import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { Icon } from './Icon.tsx'

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  name: string
  label: string
  hint?: string | undefined
  error?: string | undefined
}

/** The attributes that associate a control with its label, hint and error. */
interface ControlAttributes {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface LabelledProps extends Pick<Props, 'label' | 'hint' | 'error'> {
  control: (attributes: ControlAttributes) => ReactNode
}

export function Labelled({ label, hint, error, control }: LabelledProps) {
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

/** A labelled input with its hint and its error; React does not control its value. */
export function Field({ label, hint, error, ...input }: Props) {
  return (
    <Labelled
      label={label}
      hint={hint}
      error={error}
      control={(attributes) => <input {...input} {...attributes} />}
    />
  )
}

export function PasswordField({ show, hide, ...field }: Props & { show: string; hide: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="password">
      <Field {...field} type={isShown ? 'text' : 'password'} dir="ltr" spellCheck={false} />
      <button
        type="button"
        className="icon-button password__toggle"
        aria-label={isShown ? hide : show}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        <Icon name={isShown ? 'hidden' : 'eye'} />
      </button>
    </div>
  )
}
