import { useStore } from '@nanostores/react'
import type { WritableAtom } from 'nanostores'
import { useEffect } from 'react'
import { BookCover } from '../../islands/parts/BookCover.tsx'
import { DownloadButton } from '../../islands/parts/DownloadButton.tsx'
import { DownloadControl } from '../../islands/parts/DownloadControl.tsx'
import { DownloadList } from '../../islands/parts/DownloadList.tsx'
import { islandTexts, useLocale } from '../../islands/parts/island.tsx'
import { KeepButton } from '../../islands/parts/KeepButton.tsx'
import { Later } from '../../islands/parts/Later.tsx'
import { People } from '../../islands/parts/People.tsx'
import { Questions } from '../../islands/parts/Questions.tsx'
import { ErrorAlert } from '../../islands/parts/States.tsx'
import { WrittenHead, WrittenText } from '../../islands/parts/WrittenPage.tsx'
import { $downloads, downloadId } from '../../stores/library/downloads.ts'
import { $kept } from '../../stores/offline/kept.ts'
import { $hasWorker } from '../../stores/offline/shells.ts'
import { Piece } from './Piece.tsx'
import { DOCUMENTS, DOWNLOADS, KEPT, WRITTEN } from './samples.ts'

const { island, useTexts } = islandTexts(
  'catalogue:categories',
  'downloads:states',
  'errors:codes',
  'library:page',
  'library:reading',
  'offline:keep',
)

/**
 * These stores are read-only, because only real events change them; the gallery has to set samples.
 */
const written = <T,>(store: { get(): T }) => store as WritableAtom<T>

const endless = () => new Promise<never>(() => {})
const failing = () => Promise.reject(new Error('It fails.'))

/** Downloads, kept documents and written pages in each of their states. */
function ReadingPieces() {
  const locale = useLocale()
  const states = useTexts('downloads:states')
  const { lessons } = useTexts('catalogue:categories')
  const { loading, failed } = useTexts('library:page')
  const { problems } = useTexts('library:reading')
  const later = {
    loading: { text: loading, shapes: ['line', 'button'] as const },
    failed,
    give: {},
  }
  useSamples()
  return (
    <>
      <Piece title="ErrorAlert, Later">
        <ErrorAlert text={problems.download_failed} />
        <Later {...later} load={endless} />
        <Later {...later} load={failing} />
      </Piece>
      <Piece title="DownloadButton, DownloadControl">
        <DownloadButton
          document={{ documentId: 9000, title: '', fileSize: 4_000_000 }}
          place="library"
        />
        {DOWNLOADS.map(({ item, title }) => (
          <DownloadControl
            key={item.documentId}
            document={{ ...item, title }}
            place="library"
            texts={states}
          />
        ))}
      </Piece>
      <Piece title="DownloadList">
        <DownloadList texts={states} />
      </Piece>
      <Piece title="KeepButton">
        <KeepButton documentId={9100} title="" />
        {KEPT.map(({ documentId, title }) => (
          <KeepButton key={documentId} documentId={documentId} title={title} version={2} />
        ))}
      </Piece>
      <Piece title="BookCover">
        <div className="grid">
          {DOCUMENTS.map((book) => (
            <BookCover
              key={book.id}
              book={book}
              subject={book.matiere.code}
              lines={book.teacher.name}
              tab={lessons}
            />
          ))}
        </div>
      </Piece>
      <Piece title="WrittenHead, WrittenText">
        <article className="leaf">
          <WrittenHead page={WRITTEN} locale={locale} as="p" />
          <WrittenText page={WRITTEN} locale={locale} />
        </article>
      </Piece>
      <Piece title="Questions, People">
        <Questions questions={WRITTEN.items} locale={locale} />
        <People people={WRITTEN.items} locale={locale} />
      </Piece>
    </>
  )
}

/** Restores the samples whenever the stores have loaded this browser's real data. */
function useSamples() {
  const downloads = useStore($downloads)
  const kept = useStore($kept)
  const hasWorker = useStore($hasWorker)
  useEffect(() => {
    if (DOWNLOADS.some(({ item }) => !(downloadId(item) in downloads))) {
      const all = DOWNLOADS.map((each) => [downloadId(each.item), each])
      written($downloads).set({ ...downloads, ...Object.fromEntries(all) })
    }
    if (KEPT.some(({ documentId }) => !kept.has(documentId))) {
      const all = KEPT.map((each) => [each.documentId, each] as const)
      written($kept).set(new Map([...kept, ...all]))
    }
    if (!hasWorker) written($hasWorker).set(true)
  }, [downloads, kept, hasWorker])
}

export default island(ReadingPieces)
