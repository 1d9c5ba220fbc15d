import '../../../islands/parts/choices.css'
import './several.css'
import { useRef } from 'react'
import { joined, parted } from '../../../stores/shared/form.ts'

interface ChoicesProps {
  name: string
  defaultValue?: string | undefined
  error?: string | undefined
  legend: string
  hint?: string
  /** How many may be chosen. */
  most: number
  /** The chosen values as a comma-separated list. */
  value: string
  options: readonly { value: string; text: string }[]
  /** Writes the chosen values into a field of this name that is elsewhere in the form. */
  onChoose?: (value: string) => void
}

/** A choice of several options; the form reads the chosen values from one hidden field. */
export function Choices({
  name,
  defaultValue,
  error,
  legend,
  hint,
  most,
  value,
  options,
  onChoose,
}: ChoicesProps) {
  const field = useRef<HTMLInputElement>(null)
  const chosen = parted(value)
  const toggle = (toggled: string) => {
    const next = chosen.includes(toggled)
      ? chosen.filter((each) => each !== toggled)
      : [...chosen, toggled]
    const inOrder = options.map((each) => each.value).filter((each) => next.includes(each))
    onChoose?.(joined(inOrder))
    // Set before the event bubbles to the form, whose handler reads the fields.
    if (field.current) field.current.value = joined(inOrder)
  }
  return (
    <fieldset className="field several">
      <legend>{legend}</legend>
      {hint && <p className="field__hint">{hint}</p>}
      {/* Not `type="hidden"`, because React resets its value at every rendering. */}
      {!onChoose && (
        <input ref={field} type="text" hidden name={name} defaultValue={defaultValue} />
      )}
      <div className="several__options cluster items-stretch">
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
