import './download-list.css'
import { useStore } from '@nanostores/react'
import { useId } from 'react'
import { $downloads, downloadId } from '../../stores/library/downloads.ts'
import { DownloadControl, type DownloadTexts } from './DownloadControl.tsx'

/** The display order: running downloads first, finished ones last. */
const ORDER = ['running', 'waiting', 'paused', 'failed', 'done'] as const

const NOTHING = {}
const nothing = () => NOTHING

/**
 * The downloads of this page and those that an earlier page left unfinished, which continue here;
 * renders nothing if there are none.
 */
export function DownloadList({ texts }: { texts: DownloadTexts }) {
  const downloads = useStore($downloads, { ssr: nothing })
  const titleId = useId()
  const listed = Object.values(downloads)
    .filter((state) => state !== undefined)
    .sort((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase))
  if (listed.length === 0) return null
  return (
    <section className="panel downloads" aria-labelledby={titleId}>
      <h2 id={titleId}>{texts.list}</h2>
      <ul>
        {listed.map(({ item, title }) => (
          <li key={downloadId(item)}>
            <p className="along" dir="auto">
              {title}
            </p>
            <DownloadControl document={{ ...item, title }} place="library" texts={texts} isListed />
          </li>
        ))}
      </ul>
    </section>
  )
}
