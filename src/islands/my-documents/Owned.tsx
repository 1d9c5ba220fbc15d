import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { fillText, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { clearChoices } from '../../stores/library/choices.ts'
import { $downloads, downloadId } from '../../stores/library/downloads.ts'
import { $allDocuments, $shownShelf, refreshLibrary } from '../../stores/library/library.ts'
import { openShelves } from '../../stores/library/opened.ts'
import { DownloadList } from '../parts/DownloadList.tsx'
import { useLocale } from '../parts/island.tsx'
import { EmptyState } from '../parts/States.tsx'
import { Books } from './Books.tsx'
import { ContinueReading } from './ContinueReading.tsx'
import { DocumentTable } from './DocumentTable.tsx'
import { DownloadSeveral } from './DownloadSeveral.tsx'
import { Filters } from './Filters.tsx'
import { OpenedDialog } from './Opened.tsx'
import { Shelves } from './Shelves.tsx'
import { useTexts } from './texts.ts'
import { useShownDocuments } from './use-shown.ts'
import { useView, ViewSwitch } from './ViewSwitch.tsx'

/** A link to the shop. */
export function Explore({ text, isMain }: { text: string; isMain?: boolean }) {
  const locale = useLocale()
  return (
    <a className={isMain ? 'button button--primary' : 'button'} href={pathIn(locale, '/shop')}>
      {text}
    </a>
  )
}

/**
 * The customer's documents, `count` in all: searched, filtered and sorted, as books or as a table.
 */
export function Owned({ count }: { count: number }) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const shown = useShownDocuments()
  const { documents } = shown
  const view = useView()
  useEffect(() => $downloads.listen(refreshAfterNewVersion), [])
  return (
    <div className="library stack">
      <ContinueReading />
      <DownloadList texts={useTexts('downloads:states')} />
      <Filters />
      <Shelves />
      <div className="library__head">
        <p role="status">{pluralText(locale, texts.counts, 'count', documents.length)}</p>
        <ViewSwitch view={view} />
        {/* Not below the books: their list grows when its end comes near, and would push the button
            away. */}
        <DownloadSeveral documents={documents} areAll={documents.length === count} />
      </div>
      {documents.length === 0 ? (
        <NothingShown />
      ) : view === 'books' ? (
        <Books {...shown} />
      ) : (
        <DocumentTable {...shown} />
      )}
      <div>
        <Explore text={texts.explore} />
      </div>
      <OpenedDialog />
    </div>
  )
}

type Downloads = ReturnType<typeof $downloads.get>

/** Reloads the list once a new version was downloaded, since it is no longer new to its owner. */
function refreshAfterNewVersion(current: Downloads, previous: Downloads = {}): void {
  const isDone = (downloads: Downloads, documentId: number) =>
    downloads[downloadId({ documentId })]?.phase === 'done'
  const isSeen = $allDocuments
    .get()
    .some(
      ({ documentId, newVersion }) =>
        newVersion && isDone(current, documentId) && !isDone(previous, documentId),
    )
  if (isSeen) void refreshLibrary()
}

/** Shown if no document matches the filters, or the chosen shelf is still empty. */
function NothingShown() {
  const { none } = useTexts('library:page')
  const { empty, fill } = useTexts('library:shelves')
  const shelf = useStore($shownShelf)
  if (shelf?.documentIds.length === 0) {
    return (
      <EmptyState text={fillText(empty, { name: `\u2068${shelf.name}\u2069` })}>
        <button type="button" className="button" onClick={() => openShelves(shelf.id)}>
          {fill}
        </button>
      </EmptyState>
    )
  }
  return (
    <EmptyState text={none.text}>
      <button type="button" className="button" onClick={clearChoices}>
        {none.clear}
      </button>
    </EmptyState>
  )
}
