import { useEffect, useMemo, useRef, useState } from 'react'
import { containsFolded } from '../../rules/search-fold.ts'
import { type SearchPage, type Suggestion, suggest } from '../../rules/suggestions.ts'
import { createSuggester, type FoundDocument } from '../../stores/search/suggestions.ts'

/** The suggestions for the typed text, once the visitor pauses. */
export function useSuggestions(
  typed: string,
  pages: readonly SearchPage[],
): Suggestion<FoundDocument>[] {
  const [text, setText] = useState('')
  const [documents, setDocuments] = useState<readonly FoundDocument[]>([])
  const suggester = useRef<ReturnType<typeof createSuggester>>(undefined)

  useEffect(() => {
    const current = createSuggester((answer) => {
      setText(answer.text)
      // Until the answer arrives, show the previous documents that still match, so that the list
      // does not flicker.
      setDocuments((last) => answer.documents ?? last.filter(fits(answer.text)))
    })
    suggester.current = current
    return () => current.stop()
  }, [])
  useEffect(() => suggester.current?.type(typed), [typed])

  return useMemo(() => suggest(text, pages, documents), [text, pages, documents])
}

const fits =
  (text: string) =>
  ({ title }: FoundDocument) =>
    containsFolded(title, text)
