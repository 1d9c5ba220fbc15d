import '../../../parts/select.css'
import type { SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { Labelled } from '../../../islands/parts/Field.tsx'

interface Labels {
  name: string
  label: string
  hint?: string | undefined
  error?: string | undefined
}

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
      hint={hint}
      control={(attributes) => <textarea rows={5} dir="auto" {...area} {...attributes} />}
    />
  )
}

interface Option {
  value: string
  text: string
}

/** Options under a common heading. */
interface OptionGroup {
  heading: string
  options: readonly Option[]
}

export type SelectOption = Option | OptionGroup

/** A choice of one option; for an optional choice, `options` begins with an empty option. */
export function SelectField({
  label,
  hint,
  error,
  options,
  ...select
}: Labels &
  SelectHTMLAttributes<HTMLSelectElement> & {
    options: readonly SelectOption[]
  }) {
  return (
    <Labelled
      label={label}
      error={error}
      hint={hint}
      control={(attributes) => (
        <select {...select} {...attributes}>
          <Options of={options} />
        </select>
      )}
    />
  )
}

export function Options({ of }: { of: readonly SelectOption[] }) {
  return of.map((each) =>
    'heading' in each ? (
      <optgroup key={each.heading} label={each.heading}>
        {each.options.map(optionOf)}
      </optgroup>
    ) : (
      optionOf(each)
    ),
  )
}

const optionOf = ({ value, text }: Option) => (
  <option key={value} value={value}>
    {text}
  </option>
)
