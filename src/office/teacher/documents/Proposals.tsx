import { useEffect, useState } from 'react'
import { labelled, listed } from '../../../i18n/listed.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { SECOND_MS } from '../../../rules/durations.ts'
import { isBlank } from '../../../rules/pasted-text.ts'
import { openProposals, readProposed } from './proposed.ts'
import { fieldNamed, type TextField, type TextValues } from './text.ts'

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
  const open = openProposals(values, proposed, category).map((each) => ({
    ...each,
    text: textOf(each.field, each.value),
  }))
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
      // Proposals are an aid: without them the form is as it was.
      readProposed(query, signal).then(setProposed, () => {})
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [title, id, file])
  return proposed
}
