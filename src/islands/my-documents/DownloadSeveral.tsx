import '../parts/choices.css'
import '../parts/dialog.css'
import { useState } from 'react'
import { formatSize } from '../../i18n/file-size.ts'
import { fillText, isolate, pluralText } from '../../i18n/format.ts'
import { ARCHIVE_CHOSEN_MAX } from '../../rules/downloads.ts'
import { downloadZip } from '../../stores/library/downloads.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { lacks } from '../../stores/shared/features.ts'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { Outside } from '../parts/DownloadNote.tsx'
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
  if (props.documents.length < 2 || lacks('archive')) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="download" />
        {texts.open}
      </Button>
      {isOpen && <Choice {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

/** All documents are chosen at first. */
function Choice({ documents, areAll, onClose }: Props & { onClose: () => void }) {
  const locale = useLocale()
  const texts = useTexts('downloads:several')
  const { outside } = useTexts('downloads:states')
  const errors = useErrorTexts()
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** Opens the ZIP in the phone's own browser. */
  const [address, setAddress] = useState<string | null>(null)
  const chosen = documents.filter(({ documentId }) => !left.has(documentId))
  const isWhole = areAll && chosen.length === documents.length
  const bytes = chosen.reduce((sum, { fileSize = 0 }) => sum + fileSize, 0)
  const count = pluralText(locale, texts, 'chosen', chosen.length)
  const size = bytes > 0 ? isolate(formatSize(locale, bytes)) : ''

  const choose = (now: ReadonlySet<number>) => {
    setLeft(now)
    setProblem(null)
    setAddress(null)
  }
  const toggle = (documentId: number) => {
    const now = new Set(left)
    if (!now.delete(documentId)) now.add(documentId)
    choose(now)
  }
  const toggleAll = () => {
    choose(left.size === 0 ? new Set(documents.map(({ documentId }) => documentId)) : new Set())
  }
  const zip = async () => {
    if (isBusy) return
    setProblem(null)
    if (!isWhole && chosen.length > ARCHIVE_CHOSEN_MAX) {
      return setProblem(fillText(texts.tooMany, { max: ARCHIVE_CHOSEN_MAX }))
    }
    setBusy(true)
    const ids = chosen.map(({ documentId }) => documentId)
    const outcome = await downloadZip(locale, isWhole ? null : ids)
    setBusy(false)
    if (outcome.phase === 'started') onClose()
    else if (outcome.phase === 'outside') setAddress(outcome.address)
    else setProblem(problemText(outcome.problem, errors, texts.failed))
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
        {address && <Outside address={address} texts={outside} />}
        <div className="several__way">
          <Button kind="primary" disabled={chosen.length === 0} isBusy={isBusy} onClick={zip}>
            {texts.zip}
          </Button>
          <p className="small soft">{texts.zipHint}</p>
        </div>
      </div>
    </Dialog>
  )
}
