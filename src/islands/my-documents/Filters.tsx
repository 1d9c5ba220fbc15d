import '../parts/field.css'
import { useStore } from '@nanostores/react'
import { type ReactNode, useId } from 'react'
import { LIBRARY_SORTS } from '../../rules/library-list.ts'
import { $choices, choose } from '../../stores/library/choices.ts'
import { $filterOptions, type LibraryFilter } from '../../stores/library/library.ts'
import { useNames, useTexts } from './texts.ts'

/**
 * The search and the filters. Subject and level list what occurs among the customer's documents;
 * the type lists all types.
 */
export function Filters() {
  const texts = useTexts('library:page')
  const { q, sort } = useStore($choices)
  const id = useId()
  return (
    <search className="library__choices" aria-label={texts.filters.label}>
      <div className="field library__search">
        <label htmlFor={id}>{texts.search}</label>
        <input
          id={id}
          type="search"
          name="q"
          dir="auto"
          autoComplete="off"
          maxLength={100}
          placeholder={texts.searchHint}
          value={q}
          onChange={(event) => choose('q', event.currentTarget.value)}
        />
      </div>
      <Choice
        name="sort"
        label={texts.sort.label}
        value={sort}
        onChoose={(value) =>
          choose('sort', LIBRARY_SORTS.find((each) => each === value) ?? 'newest')
        }
      >
        {LIBRARY_SORTS.map((each) => (
          <option key={each} value={each}>
            {texts.sort[each]}
          </option>
        ))}
      </Choice>
      <Filter name="matiereId" />
      <Filter name="niveauId" />
      <Filter name="category" />
    </search>
  )
}

function Filter({ name }: { name: LibraryFilter }) {
  const texts = useTexts('library:page').filters
  const nameOf = useNames()[name]
  const options = useStore($filterOptions)[name]
  const chosen = useStore($choices)[name]
  return (
    <Choice
      name={name}
      label={texts[name]}
      value={chosen ?? ''}
      onChoose={(value) => choose(name, value || null)}
    >
      <option value="">{texts.all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {nameOf(option)}
        </option>
      ))}
    </Choice>
  )
}

interface ChoiceProps {
  name: string
  label: string
  value: string
  onChoose: (value: string) => void
  children: ReactNode
}

function Choice({ name, label, value, onChoose, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {children}
      </select>
    </div>
  )
}
