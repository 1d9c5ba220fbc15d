import '../parts/choices.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { fillText } from '../../i18n/format.ts'
import { $library } from '../../stores/library/library.ts'
import { arrangeShelf, type Shelf, type ShelfProblem } from '../../stores/library/shelves.ts'
import { useTexts } from './texts.ts'

interface Props {
  shelf: Shelf
  onDone: () => void
}

/** The choice of the documents on a shelf, among all documents. */
export function FillShelf({ shelf: { id, name, documentIds }, onDone }: Props) {
  const texts = useTexts('library:shelves')
  const library = useStore($library)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(documentIds))
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ShelfProblem | null>(null)
  const toggle = (documentId: number) => {
    const next = new Set(chosen)
    if (!next.delete(documentId)) next.add(documentId)
    setChosen(next)
  }
  const save = async () => {
    setBusy(true)
    const found = await arrangeShelf(id, {
      put: [...chosen].filter((each) => !documentIds.includes(each)),
      take: documentIds.filter((each) => !chosen.has(each)),
    })
    setBusy(false)
    setProblem(found)
    if (!found) onDone()
  }
  return (
    <div className="stack">
      <fieldset className="fill-shelf">
        <legend>{fillText(texts.filled, { name: `\u2068${name}\u2069` })}</legend>
        {library.phase === 'ready' &&
          library.value.map(({ documentId, documentTitle }) => (
            <label key={documentId} className="choice">
              <input
                type="checkbox"
                checked={chosen.has(documentId)}
                onChange={() => toggle(documentId)}
              />
              <span dir="auto">{documentTitle}</span>
            </label>
          ))}
      </fieldset>
      {problem && (
        <p className="field__error" role="alert">
          {texts.problems[problem]}
        </p>
      )}
      <div className="cluster">
        <button
          type="button"
          className="button button--primary"
          aria-busy={isBusy}
          disabled={isBusy}
          onClick={save}
        >
          {texts.save}
        </button>
        <button type="button" className="button button--plain" onClick={onDone}>
          {texts.cancel}
        </button>
      </div>
    </div>
  )
}
