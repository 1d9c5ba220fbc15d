import './download-tray.css'
import { useStore } from '@nanostores/react'
import { fillText } from '../../i18n/format.ts'
import { $downloads } from '../../stores/library/downloads.ts'
import { type DownloadTexts, percentOf } from '../parts/DownloadControl.tsx'
import { DownloadList } from '../parts/DownloadList.tsx'
import { Icon } from '../parts/Icon.tsx'

/** The downloads that an earlier page has left, which go on here: a line that unfolds. */
export function DownloadTray({ texts }: { texts: DownloadTexts }) {
  const downloads = Object.values(useStore($downloads)).filter((state) => state !== undefined)
  if (downloads.length === 0) return null
  const running = downloads.find(({ phase }) => phase === 'running')
  const percent = running ? percentOf(running) : null
  return (
    <details className="download-tray">
      <summary>
        <Icon name="download" />
        {texts.list}
        {percent !== null && <bdi>{fillText(texts.percent, { percent })}</bdi>}
      </summary>
      <DownloadList texts={texts} />
    </details>
  )
}
