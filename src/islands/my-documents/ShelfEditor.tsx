import '../../parts/field.css'
import './shelf-editor.css'
import '../parts/choices.css'
import { useStore } from '@nanostores/react'
import { type FormEvent, useId, useState } from 'react'
import { fillText, isolate, pluralText } from '../../i18n/format.ts'
import { SHELF_NAME_MAX_LENGTH, SHELVES_MAX, shelfNameProblem } from '../../rules/library-list.ts'
import { plainName } from '../../rules/pasted-text.ts'
import { $library } from '../../stores/library/library.ts'
import {
  $shelfState,
  addShelf,
  arrangeShelf,
  loadShelves,
  removeShelf,
  renameShelf,
  type Shelf,
  type ShelfProblem,
} from '../../stores/library/shelves.ts'
import { Button } from '../parts/Button.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { LoadState } from '../parts/States.tsx'
import { useTexts } from './texts.ts'

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
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ShelfProblem | null>(null)
  const { id, name, documentIds } = shelf
  const remove = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    const found = await removeShelf(id)
    setBusy(false)
    setProblem(found)
  }
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
          <Message kind="note" text={texts.removeAsk} />
          <Button kind="danger" isBusy={isBusy} onClick={remove}>
            {texts.removeYes}
            {of}
          </Button>
          <Button onClick={() => setMode('shown')}>{texts.removeNo}</Button>
        </div>
      ) : (
        <div className="cluster">
          <Button onClick={() => onFill(id)}>
            {texts.fill}
            {of}
          </Button>
          <Button kind="plain" onClick={() => setMode('renaming')}>
            {texts.rename}
            {of}
          </Button>
          <Button kind="plain" onClick={() => setMode('removing')}>
            {texts.remove}
            {of}
          </Button>
        </div>
      )}
      {problem && <Message kind="line" text={texts.problems[problem]} />}
    </li>
  )
}

interface FillProps {
  shelf: Shelf
  onDone: () => void
}

function FillShelf({ shelf: { id, name, documentIds }, onDone }: FillProps) {
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
    if (isBusy) return
    setBusy(true)
    setProblem(null)
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
        <legend>{fillText(texts.filled, { name: isolate(name) })}</legend>
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
      {problem && <Message kind="line" text={texts.problems[problem]} />}
      <div className="cluster">
        <Button kind="primary" isBusy={isBusy} onClick={save}>
          {texts.save}
        </Button>
        <Button kind="plain" onClick={onDone}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  )
}

interface NameProps {
  label: string
  submit: string
  name?: string
  onSubmit: (name: string) => Promise<ShelfProblem | null>
  onCancel?: () => void
}

function ShelfNameForm({ label, submit, name = '', onSubmit, onCancel }: NameProps) {
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
    setProblem(null)
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
          <Message
            kind="line"
            id={`${id}-problem`}
            text={fillText(texts.problems[problem], { max: SHELF_NAME_MAX_LENGTH })}
          />
        )}
      </div>
      <div className="cluster">
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {submit}
        </Button>
        {onCancel && (
          <Button kind="plain" onClick={onCancel}>
            {texts.cancel}
          </Button>
        )}
      </div>
    </form>
  )
}
