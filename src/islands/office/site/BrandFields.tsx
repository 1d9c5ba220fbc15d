import { useId, useRef, useState } from 'react'
import {
  FIRST_PEN,
  isColour,
  LOGO_MAX_BYTES,
  logoAddress,
  pensOf,
  readLogoName,
  SCHEMES,
} from '../../../rules/brand.ts'
import { uploadLogo } from '../../../stores/office/site/facts.ts'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'
import type { FieldOf } from './field-of.ts'

type Props = ReturnType<FieldOf> & {
  label: string
  value: string
  onChoose: (value: string) => void
}

/** The uploaded logo, and a choice of another file, which is shown once the form is saved. */
export function LogoField({ name, label, defaultValue, error, value, onChoose }: Props) {
  const texts = useTexts('office-site:brand')
  const { alert, attempt, isBusy } = useAttempt()
  const [isTooLarge, setTooLarge] = useState(false)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const size = readLogoName(value)
  const problem = isTooLarge ? texts.logoTooLarge : error
  const upload = (file: File) =>
    attempt(async () => {
      setTooLarge(file.size > LOGO_MAX_BYTES)
      if (file.size <= LOGO_MAX_BYTES) onChoose(await uploadLogo(file))
    })
  return (
    <div className="brand-logo">
      <p className="field">
        <span id={`${id}-label`}>{label}</span>
        <button
          type="button"
          className="button"
          aria-describedby={`${id}-label ${id}-hint`}
          aria-busy={isBusy}
          onClick={() => input.current?.click()}
        >
          {texts.choose}
        </button>
        <span className="field__hint" id={`${id}-hint`}>
          {texts.logoHint}
        </span>
      </p>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        accept=".svg,.png,image/svg+xml,image/png"
        onChange={({ target }) => target.files?.[0] && upload(target.files[0])}
      />
      {problem && (
        <p className="field__error" role="alert">
          {problem}
        </p>
      )}
      {/* Of the type `hidden`, React would set it back to its first value. */}
      <input type="text" hidden readOnly name={name} defaultValue={defaultValue} />
      {alert}
      {size ? (
        <p className="brand-logo__shown">
          <img
            src={logoAddress(value)}
            alt={texts.logoShown}
            width={size.width}
            height={size.height}
          />
          <button type="button" className="button button--plain" onClick={() => onChoose('')}>
            {texts.noLogo}
          </button>
        </p>
      ) : (
        <p className="soft small">{texts.wordmark}</p>
      )}
    </div>
  )
}

/** A colour, and how links and buttons look with it in both schemes. */
export function AccentField({ value, onChoose, ...field }: Props) {
  const texts = useTexts('office-site:brand')
  const colour = value.trim().toLowerCase()
  const pens = isColour(colour) ? pensOf(colour) : null
  return (
    <div className="brand-accent">
      <Field
        {...field}
        hint={texts.accentHint}
        autoComplete="off"
        dir="ltr"
        placeholder={FIRST_PEN}
      />
      <label className="brand-accent__pick">
        <span className="visually-hidden">{texts.pick}</span>
        <input
          type="color"
          value={pens ? colour : FIRST_PEN}
          onChange={({ target }) => onChoose(target.value)}
        />
      </label>
      {pens && (
        <p className="brand-accent__shown">
          {(['light', 'dark'] as const).map((scheme) => (
            <span key={scheme}>
              <svg viewBox="0 0 48 28" aria-hidden="true">
                <rect width="48" height="28" rx="4" fill={SCHEMES[scheme].surfaces[0]} />
                <rect x="4" y="4" width="40" height="20" rx="3" fill={pens[scheme].pen} />
                <path d="M10 14h28" stroke={SCHEMES[scheme].onPen} strokeWidth="3" />
              </svg>
              {texts[scheme]}
            </span>
          ))}
        </p>
      )}
      {pens && (pens.light.pen !== colour || pens.dark.pen !== colour) && (
        <p className="soft small">{texts.derived}</p>
      )}
    </div>
  )
}
