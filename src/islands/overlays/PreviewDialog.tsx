import { fillText } from '../../i18n/format.ts'
import { closePreview, type Preview, previewNotLoaded } from '../../stores/library/reading.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useTexts } from './texts.ts'

interface Props {
  preview: Preview
}

/** A bought document in a frame served by the backend, which shows its pages as pictures. */
export function PreviewDialog({ preview }: Props) {
  const { close } = useTexts('cart:overlays')
  const texts = useTexts('library:reading')
  return (
    <Dialog title={<bdi>{preview.title}</bdi>} closeText={close} onClose={closePreview} isWide>
      {preview.phase === 'loading' && (
        <p role="status">
          <span className="spinner" /> {texts.loading}
        </p>
      )}
      {preview.phase === 'failed' && (
        <p className="alert alert--error" role="alert">
          {texts.problems[preview.problem]}
        </p>
      )}
      {preview.phase === 'shown' && (
        <iframe
          className="dialog__frame"
          src={preview.address}
          title={fillText(texts.frame, { title: `\u2068${preview.title}\u2069` })}
          onLoad={(event) => {
            if (!isDocument(event.currentTarget)) previewNotLoaded()
          }}
        />
      )}
    </Dialog>
  )
}

// The document of a blocked frame cannot be read; that of an error page can, and has the status.
function isDocument({ contentDocument, contentWindow }: HTMLIFrameElement): boolean {
  if (!contentDocument || contentDocument.contentType.includes('json')) return false
  const [navigation] = contentWindow?.performance.getEntriesByType('navigation') ?? []
  const { responseStatus = 200 } = (navigation ?? {}) as Partial<PerformanceNavigationTiming>
  return responseStatus < 400
}
