import '../parts/field.css'
import './shelf-editor.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { fillText, pluralText } from '../../i18n/format.ts'
import { SHELVES_MAX } from '../../rules/library-list.ts'
import {
  $shelfState,
  addShelf,
  loadShelves,
  removeShelf,
  renameShelf,
  type Shelf,
  type ShelfProblem,
} from '../../stores/library/shelves.ts'
import { useLocale } from '../parts/island.tsx'
import { LoadState } from '../parts/States.tsx'
import { FillShelf } from './FillShelf.tsx'
import { ShelfNameForm } from './ShelfNameForm.tsx'
import { useTexts } from './texts.ts'

/** The dialog that adds, renames, fills and removes the family's shelves. */
export function ShelfEditor({ shelfId }: { shelfId: number | null }) {
  const texts = useTexts('library:shelves')
  const state = useStore($shelfState)
  const [filled, setFilled] = useState(shelfId)
  return (
    <LoadState
      state={state}
      loading={{ text: texts.loading, shapes: ['line', 'button'] }}
      failed={texts.failed}
      onRetry={loadShelves}
    >
      {(shelves) => {
        const shelf = shelves.find(({ id }) => id === filled)
        return shelf ? (
          <FillShelf shelf={shelf} onDone={() => setFilled(null)} />
        ) : (
          <ShelfList shelves={shelves} onFill={setFilled} />
        )
      }}
    </LoadState>
  )
}

interface ListProps {
  shelves: readonly Shelf[]
  onFill: (id: number) => void
}

function ShelfList({ shelves, onFill }: ListProps) {
  const texts = useTexts('library:shelves')
  return (
    <div className="stack">
      <p className="soft">{texts.about}</p>
      {shelves.length > 0 && (
        <ul className="shelf-list">
          {shelves.map((shelf) => (
            <ShelfRow key={shelf.id} shelf={shelf} onFill={onFill} />
          ))}
        </ul>
      )}
      {shelves.length < SHELVES_MAX ? (
        <ShelfNameForm label={texts.name} submit={texts.add} onSubmit={addShelf} />
      ) : (
        <p className="alert">{fillText(texts.full, { max: SHELVES_MAX })}</p>
      )}
    </div>
  )
}

function ShelfRow({ shelf, onFill }: { shelf: Shelf; onFill: (id: number) => void }) {
  const locale = useLocale()
  const texts = useTexts('library:shelves')
  const { counts } = useTexts('library:page')
  const [mode, setMode] = useState<'shown' | 'renaming' | 'removing'>('shown')
  const [problem, setProblem] = useState<ShelfProblem | null>(null)
  const { id, name, documentIds } = shelf
  const of = (
    <span className="visually-hidden" dir="auto">
      {' '}
      {name}
    </span>
  )
  if (mode === 'renaming') {
    return (
      <li>
        <ShelfNameForm
          label={texts.name}
          submit={texts.save}
          name={name}
          onSubmit={async (text) => {
            const found = await renameShelf(id, text)
            if (!found) setMode('shown')
            return found
          }}
          onCancel={() => setMode('shown')}
        />
      </li>
    )
  }
  return (
    <li>
      <p className="shelf-list__name">
        <bdi>{name}</bdi>
        <span className="small soft">
          {pluralText(locale, counts, 'count', documentIds.length)}
        </span>
      </p>
      {mode === 'removing' ? (
        <div className="cluster">
          <p role="alert">{texts.removeAsk}</p>
          <button
            type="button"
            className="button button--danger"
            onClick={async () => setProblem(await removeShelf(id))}
          >
            {texts.removeYes}
            {of}
          </button>
          <button type="button" className="button" onClick={() => setMode('shown')}>
            {texts.removeNo}
          </button>
        </div>
      ) : (
        <div className="cluster">
          <button type="button" className="button" onClick={() => onFill(id)}>
            {texts.fill}
            {of}
          </button>
          <button
            type="button"
            className="button button--plain"
            onClick={() => setMode('renaming')}
          >
            {texts.rename}
            {of}
          </button>
          <button
            type="button"
            className="button button--plain"
            onClick={() => setMode('removing')}
          >
            {texts.remove}
            {of}
          </button>
        </div>
      )}
      {problem && (
        <p className="field__error" role="alert">
          {texts.problems[problem]}
        </p>
      )}
    </li>
  )
}
