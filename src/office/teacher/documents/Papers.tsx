import { useStore } from '@nanostores/react'
import { useEffect, useId, useState } from 'react'
import { findPapers, type OfferedPaper } from '../../../contract/office-corrections.ts'
import { useTexts } from '../../../islands/parts/island.tsx'
import { LoadState } from '../../../islands/parts/States.tsx'
import { SECOND_MS } from '../../../rules/durations.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../../rules/pasted-text.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { resourceFor } from '../../kit/loader.ts'
import type { TextValues } from './text.ts'

/** A search starts once nobody has typed for so long. */
const PAUSE_MS = SECOND_MS / 2

interface Props {
  /** The document that is to be the correction. */
  id: number
  values: TextValues
  /** Whose a paper is, in words. */
  whose: (paper: OfferedPaper) => string
  onChoose: (paper: OfferedPaper) => void
}

/** The papers to choose from, found by their title; most forms never show them. */
export function Papers({ id, values: { niveauId, matiereId }, whose, onChoose }: Props) {
  const texts = useTexts('office-documents:form').paper
  const input = useId()
  const [typed, setTyped] = useState('')
  const [found] = useState(() =>
    resourceFor(findPapers, (q: string) => ({
      query: {
        not: id,
        ...(q && { q }),
        ...(niveauId && { niveauId: Number(niveauId) }),
        ...(matiereId && { matiereId: Number(matiereId) }),
      },
    })),
  )
  const state = useStore(found.$state, { ssr: notLoaded })
  useEffect(() => {
    const timer = setTimeout(() => void found.load(typed.trim()), typed === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, found])
  return (
    <div className="stack gap-2">
      <div className="field">
        <label htmlFor={input}>{texts.find}</label>
        <input
          id={input}
          type="search"
          dir="auto"
          autoComplete="off"
          maxLength={SEARCH_TEXT_MAX_LENGTH}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          // Within the document's form, which Enter would send.
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault()
          }}
        />
      </div>
      <LoadState
        state={state}
        loading={{ text: texts.loading, shapes: ['line', 'line'] }}
        failed={texts.failed}
        onRetry={() => void found.load(typed.trim())}
      >
        {(papers) =>
          papers.length === 0 ? (
            <p className="soft">{texts.none}</p>
          ) : (
            <ul className="editor__papers stack gap-1">
              {papers.map((paper) => (
                <li key={paper.id}>
                  <button type="button" onClick={() => onChoose(paper)}>
                    <bdi>{paper.title}</bdi>
                    <span className="soft small">{whose(paper)}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </LoadState>
    </div>
  )
}
