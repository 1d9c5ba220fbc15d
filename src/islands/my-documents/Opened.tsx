import { useStore } from '@nanostores/react'
import { $library } from '../../stores/library/library.ts'
import { $opened } from '../../stores/library/opened.ts'
import { BookDialog } from './BookDialog.tsx'
import { LaterRating, LaterShelves } from './later-parts.tsx'

/** The dialog that is open over the documents. */
export function OpenedDialog() {
  const opened = useStore($opened)
  const library = useStore($library)
  if (!opened || library.phase !== 'ready') return null
  if (opened.kind === 'shelves') return <LaterShelves shelfId={opened.shelfId} />
  const document = library.value.find(({ documentId }) => documentId === opened.documentId)
  if (!document) return null
  return opened.kind === 'book' ? (
    <BookDialog document={document} />
  ) : (
    <LaterRating document={document} />
  )
}
