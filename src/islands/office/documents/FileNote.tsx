import { type FormEvent, type RefObject, useState } from 'react'
import { VERSION_NOTE_MAX_LENGTH } from '../../../rules/document-life.ts'
import { type Own, saveNote } from '../../../stores/office/documents/own.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { useProblemText } from '../parts/use-attempt.tsx'

interface Props {
  own: Pick<Own, 'document' | 'versions'>
  /** The parent reads `note` from this form when it uploads a file. */
  form: RefObject<HTMLFormElement | null>
}

/** A note on what changed in the file. It can be edited before the upload and until the review. */
export function FileNote({ own: { document, versions }, form }: Props) {
  const texts = useTexts('office-documents:form')
  const problemText = useProblemText()
  const [newest] = versions
  const open = newest?.state === 'draft' || newest?.state === 'submitted' ? newest : null
  const [state, setState] = useState<'same' | 'saved' | Problem>('same')

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const note = String(new FormData(form.current ?? undefined).get('note') ?? '').trim()
    if (!open || note === open.note) return
    try {
      await saveNote(document.id, open.number, note)
      setState('saved')
    } catch (error) {
      setState(problemOf(error))
    }
  }
  return (
    <form ref={form} onSubmit={save} onBlur={save} onChange={() => setState('same')}>
      <Field
        name="note"
        label={texts.file.note}
        hint={document.firstPublishedAt ? texts.file.review : texts.file.replaces}
        error={typeof state === 'object' ? problemText(state) : undefined}
        defaultValue={open?.note}
        dir="auto"
        autoComplete="off"
        maxLength={VERSION_NOTE_MAX_LENGTH}
      />
      <p role="status" className="soft">
        {state === 'saved' && texts.file.noteSaved}
      </p>
    </form>
  )
}
