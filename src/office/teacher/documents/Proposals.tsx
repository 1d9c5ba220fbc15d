import { useEffect, useState } from 'react'
import type { Result } from '../../../contract/call.ts'
import { proposeFacts } from '../../../contract/office-documents.ts'
import { labelled, listed } from '../../../i18n/listed.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { DETAILS, fitsCategory, isOptionFor } from '../../../rules/document-fields.ts'
import { SECOND_MS } from '../../../rules/durations.ts'
import { isBlank } from '../../../rules/pasted-text.ts'
import { ask } from '../../kit/backend.ts'
import { fieldNamed, TEXT_FIELDS, type TextField, type TextValues, typedDetails } from './text.ts'

interface Props {
  /** The document, and what tells its newest file from others; '' without one. */
  of: { id: number; file: string }
  values: TextValues
  /** As `categoryOf` has it. */
  category: string | null
  /** The text of a field's value. */
  textOf: (field: TextField, value: string) => string
  onTake: (taken: readonly { field: TextField; value: string }[]) => void
}

/** What title and first page state and the form does not have yet, for the teacher to take. */
export function Proposals({ of, values, category, textOf, onTake }: Props) {
  const texts = useTexts('office-documents:form').proposals
  const fields = useTexts('office-documents:fields')
  const locale = useLocale()
  const proposed = useProposed(values.title, of)
  const open = TEXT_FIELDS.flatMap((field) => {
    const value = values[field] === '' ? (proposed[field] ?? '') : ''
    return value === '' || !fits(field, value, category)
      ? []
      : [{ field, value, text: textOf(field, value) }]
  })
  const title = of.file === '' ? texts.title : texts.titleAndPage
  const items = open.map(({ field, text }) => labelled(locale, fields[fieldNamed(field)], text))
  const [said, setSaid] = useState('')
  // Said once for each reading, not while a field is being filled in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open changes with each letter
  useEffect(() => {
    setSaid(items.length > 0 ? labelled(locale, title, listed(locale, items)) : '')
  }, [proposed])
  return (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {items.length > 0 && (
        <section className="editor__proposed stack" aria-labelledby="proposed">
          <h3 id="proposed">{title}</h3>
          <ul className="cluster">
            {items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
          <Button onClick={() => onTake(open)}>{texts.take}</Button>
        </section>
      )}
    </>
  )
}

/** Whether documents of the chosen category may have a value; any, where none is chosen yet. */
function fits(field: TextField, value: string, category: string | null): boolean {
  const detail = DETAILS.find((name) => name === field)
  if (!detail || category === '') return true
  return fitsCategory(detail, category) && isOptionFor(detail, category, value)
}

/** A title is read once nobody has typed for so long. */
const PAUSE_MS = SECOND_MS

/** The facts that a title states, and the first page of the file, as the form's values. */
function useProposed(title: string, { id, file }: Props['of']): Readonly<Partial<TextValues>> {
  const [proposed, setProposed] = useState<Readonly<Partial<TextValues>>>({})
  useEffect(() => {
    if (isBlank(title) && file === '') return setProposed({})
    const leaving = new AbortController()
    const { signal } = leaving
    const timer = setTimeout(() => {
      const written = title.trim()
      const query = { ...(written && { written }), ...(file && { document: id }) }
      ask(proposeFacts, { query }, { signal }).then(
        (facts) => setProposed(valuesIn(facts)),
        // Proposals are an aid: without them the form is as it was.
        () => {},
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [title, id, file])
  return proposed
}

function valuesIn(facts: Result<typeof proposeFacts>): Readonly<Partial<TextValues>> {
  const { matiereId, niveauId, categoryId } = facts
  const idOf = (id: number | null) => (id === null ? '' : String(id))
  return {
    ...typedDetails(facts),
    matiereId: idOf(matiereId),
    niveauId: idOf(niveauId),
    categoryId: idOf(categoryId),
  }
}
