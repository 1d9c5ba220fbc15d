import { Button } from '../parts/Button.tsx'
import { Message } from '../parts/Message.tsx'
import '../parts/dialog.css'
import '../../parts/facts.css'
import '../../parts/field.css'
import '../parts/choices.css'
import '../rating/rating.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { type PurchasedDocument, refreshLibrary } from '../../stores/library/library.ts'
import {
  $shelfState,
  $shelves,
  arrangeShelf,
  type ShelfProblem,
} from '../../stores/library/shelves.ts'
import { closeOpened, openShelves } from '../../stores/library/shown.ts'
import { isLacking } from '../../stores/shared/loader.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { Later } from '../parts/Later.tsx'
import { Actions, OwnStars } from './Actions.tsx'
import { OwnedCover } from './Book.tsx'
import { FACTS, useFacts } from './facts.tsx'
import { useTexts } from './texts.ts'

export function BookDialog({ document }: { document: PurchasedDocument }) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const facts = useFacts(document)
  return (
    <Dialog
      title={<bdi>{document.documentTitle}</bdi>}
      closeText={texts.book.close}
      onClose={closeOpened}
    >
      <div className="book-dialog">
        <OwnedCover document={document} sizes="160px" />
        <div className="stack">
          <Actions document={document} />
          <OwnStars document={document} />
        </div>
      </div>
      <OnShelves documentId={document.documentId} />
      <dl className="facts-list small">
        {FACTS.map((name) => (
          <div key={name}>
            <dt>{texts.columns[name]}</dt>
            <dd>{facts[name]}</dd>
          </div>
        ))}
      </dl>
      <a className="link" href={pathIn(locale, `/shop-details/${document.documentId}`)}>
        {texts.book.details}
      </a>
    </Dialog>
  )
}

function OnShelves({ documentId }: { documentId: number }) {
  const texts = useTexts('library:shelves')
  const shelves = useStore($shelves)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ShelfProblem | null>(null)
  if (isLacking(useStore($shelfState))) return null
  if (shelves.length === 0) {
    return (
      <Button kind="plain" onClick={() => openShelves()}>
        {texts.first}
      </Button>
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
              aria-busy={isBusy}
              onChange={async ({ currentTarget: { checked } }) => {
                if (isBusy) return
                setBusy(true)
                setProblem(null)
                const change = {
                  put: checked ? [documentId] : [],
                  take: checked ? [] : [documentId],
                }
                setProblem(await arrangeShelf(id, change))
                setBusy(false)
              }}
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </div>
      {problem && <Message kind="line" text={texts.problems[problem]} />}
    </fieldset>
  )
}

// Imported here and by the pages that show the form: the build drops the style sheet of a component
// that a page contains and another page loads later.

// Rarely used, so loaded when they are first opened.
const loadRating = async () => (await import('../rating/RatingForm.tsx')).default
const loadShelves = async () => (await import('./ShelfEditor.tsx')).ShelfEditor

const SHAPES = ['line', 'button', 'line'] as const

function useLaterTexts() {
  const { loading, failed } = useTexts('library:shelves')
  return { loading: { text: loading, shapes: SHAPES }, failed }
}

export function LaterRating({ document }: { document: PurchasedDocument }) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const form = useTexts('ratings:form')
  const { documentId, documentTitle: title } = document
  return (
    <Dialog title={<bdi>{title}</bdi>} closeText={texts.book.close} onClose={closeOpened}>
      <Later
        load={loadRating}
        give={{
          subject: { kind: 'document', id: documentId },
          onChange: refreshLibrary,
          locale,
          'ratings:form': form,
        }}
        {...useLaterTexts()}
      />
    </Dialog>
  )
}

export function LaterShelves({ shelfId }: { shelfId: number | null }) {
  const texts = useTexts('library:page')
  return (
    <Dialog
      title={useTexts('library:shelves').title}
      closeText={texts.book.close}
      onClose={closeOpened}
    >
      <Later load={loadShelves} give={{ shelfId }} {...useLaterTexts()} />
    </Dialog>
  )
}
