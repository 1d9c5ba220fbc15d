import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { fillText, isolate } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { FRAME_MESSAGES } from '../../rules/reader.ts'
import {
  $isPageWaiting,
  closePreview,
  type Preview,
  previewNotLoaded,
  retryPlainPages,
} from '../../stores/library/reading.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { useTexts } from './texts.ts'

export function PreviewDialog({ preview }: { preview: Preview }) {
  const locale = useLocale()
  const { close } = useTexts('cart:dialog')
  const texts = useTexts('library:reading')
  const reader = useTexts('reader:dialog')
  const address = pathIn(locale, `/read/${preview.documentId}`)
  useReaderInFrame()
  const [plainPages, setPlainPages] = useState<Document | null>(null)
  useEffect(() => (plainPages ? retryPlainPages(plainPages) : undefined), [plainPages])
  const isPageWaiting = useStore($isPageWaiting)
  return (
    <Dialog title={<bdi>{preview.title}</bdi>} closeText={close} onClose={closePreview} isWide>
      {preview.phase === 'loading' && (
        <p role="status">
          <span className="spinner" /> {texts.loading}
        </p>
      )}
      {preview.phase === 'failed' && (
        <Message kind="error" text={texts.problems[preview.problem]} />
      )}
      {preview.phase === 'shown' && (
        <>
          <iframe
            className="dialog__frame"
            key={String(preview.isPlain)}
            src={preview.isPlain ? preview.address : address}
            title={fillText(texts.frame, { title: isolate(preview.title) })}
            onLoad={({ currentTarget: frame }) => {
              if (!isDocument(frame)) previewNotLoaded()
              else if (preview.isPlain) setPlainPages(frame.contentDocument)
            }}
          />
          <p role="status" className={isPageWaiting ? '' : 'visually-hidden'}>
            {isPageWaiting && reader.waiting}
          </p>
          {!preview.isPlain && (
            <p>
              <a className="link" href={address}>
                {reader.open}
              </a>
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}

/** Handles the reader's messages: it could not open the document, or Escape was pressed in it. */
function useReaderInFrame(): void {
  useEffect(() => {
    const onMessage = ({ origin, data }: MessageEvent) => {
      if (origin !== location.origin) return
      if (data === FRAME_MESSAGES.failed) previewNotLoaded()
      else if (data === FRAME_MESSAGES.left) closePreview()
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])
}

// A blocked frame's document cannot be read; that of an error page can, and its navigation has the
// status.
function isDocument({ contentDocument, contentWindow }: HTMLIFrameElement): boolean {
  if (!contentDocument || contentDocument.contentType.includes('json')) return false
  const [navigation] = contentWindow?.performance.getEntriesByType('navigation') ?? []
  const { responseStatus = 200 } = (navigation ?? {}) as Partial<PerformanceNavigationTiming>
  return responseStatus < 400
}
