import '../parts/field.css'
import { useStore } from '@nanostores/react'
import { useId } from 'react'
import {
  $filterOptions,
  $libraryFilters,
  filterLibrary,
  type LibraryFilters,
} from '../../stores/library/library.ts'
import { useNames, useTexts } from './texts.ts'

/** The filters. Subject and level list what the customer has; the type lists all four types. */
export function Filters() {
  const texts = useTexts('library:page').filters
  return (
    <search className="cluster" aria-label={texts.label}>
      <Filter name="matiereId" />
      <Filter name="niveauId" />
      <Filter name="category" />
    </search>
  )
}

function Filter({ name }: { name: keyof LibraryFilters }) {
  const texts = useTexts('library:page').filters
  const nameOf = useNames()[name]
  const id = useId()
  const options = useStore($filterOptions)[name]
  const chosen = useStore($libraryFilters)[name]
  return (
    <div className="field">
      <label htmlFor={id}>{texts[name]}</label>
      <select
        id={id}
        name={name}
        value={chosen ?? ''}
        onChange={(event) => filterLibrary(name, event.currentTarget.value || null)}
      >
        <option value="">{texts.all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {nameOf(option)}
          </option>
        ))}
      </select>
    </div>
  )
}
