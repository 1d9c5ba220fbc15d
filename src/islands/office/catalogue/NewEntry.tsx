import { useState } from 'react'
import type { ListName } from '../../../rules/catalogue-lists.ts'
import {
  addEntry,
  type EntryField,
  entryMistakes,
  fieldsOf,
  valuesOf,
} from '../../../stores/office/catalogue/lists.ts'
import { Done, useDone } from '../parts/Done.tsx'
import { SaveState } from '../parts/SaveState.tsx'
import { useOfficeForm } from '../parts/use-office-form.tsx'
import { EntryFields, useMistakes } from './EntryFields.tsx'
import { useTexts } from './texts.ts'

/** The button and the form that add an entry at the end of a list. */
export function NewEntry({ name }: { name: ListName }) {
  const texts = useTexts('office-catalogue:lists')
  const add = useTexts('office-catalogue:names').add
  const [isOpen, setOpen] = useState(false)
  const [doneText, setDoneText] = useDone()
  return (
    <div className="stack">
      <Done text={doneText} />
      {isOpen ? (
        <NewForm
          name={name}
          onDone={() => {
            setDoneText(texts.added)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      ) : (
        <p>
          <button
            type="button"
            className="button button--primary"
            onClick={() => {
              setDoneText('')
              setOpen(true)
            }}
          >
            {add[name]}
          </button>
        </p>
      )}
    </div>
  )
}

interface FormProps {
  name: ListName
  onDone: () => void
  onClose: () => void
}

function NewForm({ name, onDone, onClose }: FormProps) {
  const texts = useTexts('office-catalogue:lists')
  const add = useTexts('office-catalogue:names').add
  const sentence = useMistakes()
  const fields = fieldsOf(name, true)
  const [initial] = useState(() => valuesOf())
  const form = useOfficeForm<EntryField>({
    fields,
    initial,
    keepAs: `new ${name}`,
    check: (values) => entryMistakes(fields, values),
    save: async (values) => {
      await addEntry(name, values)
      onDone()
    },
    sentence,
  })
  const { saveState, formProps } = form
  return (
    <form {...formProps} className="lists__new stack">
      <h2 className="lists__heading">{add[name]}</h2>
      {form.notices}
      <EntryFields fields={fields} fieldOf={form.fieldOf} />
      <div className="save-foot">
        {saveState.state.phase === 'failed' && <SaveState {...saveState} onRetry={form.retry} />}
        <button type="button" className="button" onClick={onClose}>
          {texts.close}
        </button>
        <button
          type="submit"
          className="button button--primary"
          aria-busy={saveState.state.phase === 'saving'}
        >
          {texts.add}
        </button>
      </div>
    </form>
  )
}
