import { type FormEvent, useId, useState } from 'react'
import { fillText } from '../../i18n/format.ts'
import { SHELF_NAME_MAX_LENGTH, shelfNameProblem } from '../../rules/library-list.ts'
import { plainName } from '../../rules/pasted-text.ts'
import type { ShelfProblem } from '../../stores/library/shelves.ts'
import { useTexts } from './texts.ts'

interface Props {
  label: string
  submit: string
  /** The current name of a shelf that is being renamed. */
  name?: string
  onSubmit: (name: string) => Promise<ShelfProblem | null>
  onCancel?: () => void
}

/** The form for the name of a shelf. */
export function ShelfNameForm({ label, submit, name = '', onSubmit, onCancel }: Props) {
  const texts = useTexts('library:shelves')
  const [text, setText] = useState(name)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ShelfProblem | null>(null)
  const id = useId()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const wanted = plainName(text)
    if (shelfNameProblem(wanted)) return setProblem('name')
    setBusy(true)
    const found = await onSubmit(wanted)
    setBusy(false)
    setProblem(found)
    if (!found) setText('')
  }
  return (
    <form className="shelf-name" noValidate onSubmit={send}>
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <input
          id={id}
          name="shelf"
          dir="auto"
          autoComplete="off"
          value={text}
          aria-invalid={problem !== null}
          aria-describedby={problem ? `${id}-problem` : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {problem && (
          <p className="field__error" id={`${id}-problem`} role="alert">
            {fillText(texts.problems[problem], { max: SHELF_NAME_MAX_LENGTH })}
          </p>
        )}
      </div>
      <div className="cluster">
        <button type="submit" className="button button--primary" aria-busy={isBusy}>
          {submit}
        </button>
        {onCancel && (
          <button type="button" className="button button--plain" onClick={onCancel}>
            {texts.cancel}
          </button>
        )}
      </div>
    </form>
  )
}
