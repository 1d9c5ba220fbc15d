import '../parts/choices.css'
import '../parts/dialog.css'
import { useState } from 'react'
import { formatSize } from '../../i18n/file-size.ts'
import { fillText, isolate, pluralText } from '../../i18n/format.ts'
import { ARCHIVE_CHOSEN_MAX } from '../../rules/downloads.ts'
import { downloadEach, downloadZip } from '../../stores/library/downloads.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { lacks } from '../../stores/shared/features.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { ErrorAlert } from '../parts/Message.tsx'
import { useTexts } from './texts.ts'

interface Props {
  documents: readonly PurchasedDocument[]
  /** Whether these are all that the user bought. */
  areAll: boolean
}

export function DownloadSeveral(props: Props) {
  const texts = useTexts('downloads:several')
  const [isOpen, setOpen] = useState(false)
  if (props.documents.length < 2) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Icon name="download" />
        {texts.open}
      </button>
      {isOpen && <Choice {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

/** All documents are chosen at first. */
function Choice({ documents, areAll, onClose }: Props & { onClose: () => void }) {
  const locale = useLocale()
  const texts = useTexts('downloads:several')
  const errors = useErrorTexts()
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const chosen = documents.filter(({ documentId }) => !left.has(documentId))
  const isWhole = areAll && chosen.length === documents.length
  const bytes = chosen.reduce((sum, { fileSize = 0 }) => sum + fileSize, 0)
  const count = pluralText(locale, texts, 'chosen', chosen.length)
  const size = bytes > 0 ? isolate(formatSize(locale, bytes)) : ''

  const toggle = (documentId: number) => {
    const now = new Set(left)
    if (!now.delete(documentId)) now.add(documentId)
    setLeft(now)
    setProblem(null)
  }
  const toggleAll = () => {
    setLeft(left.size === 0 ? new Set(documents.map(({ documentId }) => documentId)) : new Set())
    setProblem(null)
  }
  const each = () => {
    downloadEach(
      chosen.map(({ documentId, documentTitle: title, fileType }) => ({
        documentId,
        title,
        fileType,
      })),
    )
    onClose()
  }
  const zip = async () => {
    if (isBusy) return
    setProblem(null)
    if (!isWhole && chosen.length > ARCHIVE_CHOSEN_MAX) {
      return setProblem(fillText(texts.tooMany, { max: ARCHIVE_CHOSEN_MAX }))
    }
    setBusy(true)
    const ids = chosen.map(({ documentId }) => documentId)
    const refused = await downloadZip(locale, isWhole ? null : ids)
    setBusy(false)
    if (refused) setProblem(problemText(refused, errors, texts.failed))
    else onClose()
  }

  return (
    <Dialog title={texts.title} closeText={texts.close} onClose={onClose} isBusy={isBusy}>
      <div className="several">
        <label className="choice several__all">
          <input type="checkbox" checked={left.size === 0} onChange={toggleAll} />
          {texts.all}
        </label>
        <ul className="several__list">
          {documents.map(({ documentId, documentTitle, fileSize }) => (
            <li key={documentId}>
              <label className="choice">
                <input
                  type="checkbox"
                  checked={!left.has(documentId)}
                  onChange={() => toggle(documentId)}
                />
                <span className="along" dir="auto">
                  {documentTitle}
                </span>
                {fileSize !== undefined && (
                  <bdi className="small soft several__size">{formatSize(locale, fileSize)}</bdi>
                )}
              </label>
            </li>
          ))}
        </ul>
        <p role="status">
          <strong>
            {chosen.length === 0
              ? texts.none
              : size
                ? fillText(texts.sum, { documents: count, size })
                : count}
          </strong>
        </p>
        {problem && <ErrorAlert text={problem} />}
        <Way text={texts.each} hint={texts.eachHint} isOff={chosen.length === 0} onPress={each} />
        {!lacks('archive') && (
          <Way
            text={texts.zip}
            hint={texts.zipHint}
            isOff={chosen.length === 0}
            isBusy={isBusy}
            onPress={zip}
          />
        )}
      </div>
    </Dialog>
  )
}

interface WayProps {
  text: string
  hint: string
  isOff: boolean
  isBusy?: boolean
  onPress: () => void
}

function Way({ text, hint, isOff, isBusy, onPress }: WayProps) {
  return (
    <div className="several__way">
      <button
        type="button"
        className="button"
        disabled={isOff}
        aria-busy={isBusy}
        onClick={onPress}
      >
        {text}
      </button>
      <p className="small soft">{hint}</p>
    </div>
  )
}
