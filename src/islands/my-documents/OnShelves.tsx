import '../parts/choices.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { openShelves } from '../../stores/library/opened.ts'
import {
  $shelfState,
  $shelves,
  arrangeShelf,
  type ShelfProblem,
} from '../../stores/library/shelves.ts'
import { isLacking } from '../../stores/shared/loader.ts'
import { useTexts } from './texts.ts'

/** The choice of the family's shelves that a book is on. */
export function OnShelves({ documentId }: { documentId: number }) {
  const texts = useTexts('library:shelves')
  const shelves = useStore($shelves)
  const [problem, setProblem] = useState<ShelfProblem | null>(null)
  if (isLacking(useStore($shelfState))) return null
  if (shelves.length === 0) {
    return (
      <button type="button" className="button button--plain" onClick={() => openShelves()}>
        {texts.first}
      </button>
    )
  }
  return (
    <fieldset>
      <legend>{texts.on}</legend>
      <div className="cluster">
        {shelves.map(({ id, name, documentIds }) => (
          <label key={id} className="choice">
            <input
              type="checkbox"
              checked={documentIds.includes(documentId)}
              onChange={async ({ currentTarget: { checked } }) => {
                const change = {
                  put: checked ? [documentId] : [],
                  take: checked ? [] : [documentId],
                }
                setProblem(await arrangeShelf(id, change))
              }}
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </div>
      {problem && (
        <p className="field__error" role="alert">
          {texts.problems[problem]}
        </p>
      )}
    </fieldset>
  )
}
