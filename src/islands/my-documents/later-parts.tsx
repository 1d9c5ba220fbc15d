import '../parts/dialog.css'
import '../parts/field.css'
// Imported here and by the pages that show the form: the build drops the style sheet of a component
// that a page contains and another page loads later.
import '../rating/rating-form.css'
import '../rating/star-choice.css'
import { type PurchasedDocument, refreshLibrary } from '../../stores/library/library.ts'
import { closeOpened } from '../../stores/library/opened.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { Later } from '../parts/Later.tsx'
import { useTexts } from './texts.ts'

// Rarely used, so loaded when they are first opened.
const loadRating = async () => (await import('../rating/RatingForm.tsx')).default
const loadShelves = async () => (await import('./ShelfEditor.tsx')).ShelfEditor

const SHAPES = ['line', 'button', 'line'] as const

function useLaterTexts() {
  const { loading, failed } = useTexts('library:shelves')
  return { loading: { text: loading, shapes: SHAPES }, failed }
}

/** The customer's own rating of a book. */
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

/** The editor of the family's shelves. */
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
