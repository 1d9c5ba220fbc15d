import { useState } from 'react'
import { formatSize } from '../../i18n/file-size.ts'
import { download, type ReadingPlace } from '../../stores/library/downloads.ts'
import { Button } from './Button.tsx'
import { DownloadNote, type DownloadState } from './DownloadNote.tsx'
import { Icon } from './Icon.tsx'
import { useLocale, useTexts } from './island.tsx'

interface DownloadProps {
  /**
   * A bought document; `version` is an earlier one, missing for the current one; `fileSize` in bytes,
   * if the page knows it.
   */
  document: {
    documentId: number
    version?: number | undefined
    title: string
    fileType?: string | undefined
    fileSize?: number | undefined
  }
  place: ReadingPlace
  label?: string
  /** Whether only screen readers are told that the browser downloads, which shows it itself. */
  isQuiet?: boolean
  onStart?: () => void
}

/** Has the browser download a bought document. */
export function DownloadButton({ document, place, label, isQuiet, onStart }: DownloadProps) {
  const locale = useLocale()
  const texts = useTexts('downloads:states')
  const [state, setState] = useState<DownloadState>(null)
  const { documentId, version, title, fileType, fileSize } = document
  const isBusy = state?.phase === 'busy'
  const press = async () => {
    if (isBusy) return
    setState({ phase: 'busy' })
    const wanted = { documentId, version, title, ...(fileType && { fileType }) }
    const outcome = await download(wanted, place, locale)
    setState(outcome)
    if (outcome.phase === 'started') onStart?.()
  }
  return (
    <div className="download">
      <Button isBusy={isBusy} onClick={press}>
        {!isBusy && <Icon name="download" />}
        {label ?? texts.download}
        {fileSize !== undefined && (
          <bdi className="download__amount">{formatSize(locale, fileSize)}</bdi>
        )}
        <span className="visually-hidden" dir="auto">
          {' '}
          {title}
        </span>
      </Button>
      <DownloadNote state={state} documentId={documentId} texts={texts} isQuiet={isQuiet} />
    </div>
  )
}
