import '../../../parts/field.css'
import './search-form.css'
import { type SubmitEvent, useId, useState } from 'react'
import { Button } from '../../../islands/parts/Button.tsx'
import { SEARCH_TEXT_MAX_LENGTH } from '../../../rules/pasted-text.ts'

interface Props {
  label: string
  submit: string
  isBusy?: boolean
  /** Searches for a text, which is not empty. */
  onSearch: (q: string) => void
}

/** A search that starts when it is submitted. */
export function SearchForm({ label, submit, isBusy, onSearch }: Props) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const search = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (typed.trim() !== '') onSearch(typed.trim())
  }
  return (
    <search>
      <form className="search-form cluster items-end gap-3" method="post" onSubmit={search}>
        <div className="field">
          <label htmlFor={id}>{label}</label>
          <input
            id={id}
            type="search"
            name="q"
            dir="auto"
            autoComplete="off"
            maxLength={SEARCH_TEXT_MAX_LENGTH}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {submit}
        </Button>
      </form>
    </search>
  )
}
