import { Message } from './Message.tsx'
import './download.css'
import { useStore } from '@nanostores/react'
import { formatSize } from '../../i18n/file-size.ts'
import { fillText, isolate } from '../../i18n/format.ts'
import type { TextsAt } from '../../i18n/texts.ts'
import {
  $downloads,
  cancelDownload,
  type Download,
  type DownloadProblem,
  download,
  downloadId,
  pauseDownload,
  type ReadingPlace,
} from '../../stores/library/downloads.ts'
import { Icon } from './Icon.tsx'
import { useLocale, useTexts } from './island.tsx'

export type DownloadTexts = TextsAt<'downloads:states'>

/** A bought document; `fileSize` in bytes, if the page knows it. */
interface Downloadable {
  documentId: number
  /** An earlier version; missing for the current one. */
  version?: number | undefined
  title: string
  fileType?: string | undefined
  fileSize?: number | undefined
}

export interface DownloadProps {
  document: Downloadable
  place: ReadingPlace
  /** The button's text until a download has begun. */
  label?: string
  /** Whether it is in the list of downloads, where an ended download can be removed. */
  isListed?: boolean
  /** Whether the page also has the list of downloads, which shows progress and failures. */
  isQuiet?: boolean
}

const NOTHING = {}
const nothing = () => NOTHING

/**
 * Downloads a document; meanwhile the same button pauses and resumes, with the progress along its
 * lower edge. The texts are a prop because the catalogue's pages load them together with this
 * component.
 */
export function DownloadControl({
  document,
  place,
  texts,
  label,
  isListed,
  isQuiet,
}: DownloadProps & { texts: DownloadTexts }) {
  const { problems } = useTexts('library:reading')
  const { documentId, version, title, fileType } = document
  const item = { documentId, version }
  const state = useStore($downloads, { ssr: nothing })[downloadId(item)]
  const isActive = state?.phase === 'waiting' || state?.phase === 'running'
  const isBegun = isActive || state?.phase === 'paused'
  const note = noteOf(state)
  const press = () => {
    if (isActive) pauseDownload(item)
    else void download({ ...item, title, ...(fileType && { fileType }) }, place)
  }
  return (
    <div className="download">
      <div className="download__controls">
        <button type="button" className="button download__button" onClick={press}>
          <ButtonContent state={state} document={document} texts={texts} label={label} />
          <span className="visually-hidden" dir="auto">
            {' '}
            {title}
          </span>
        </button>
        {isBegun && (
          <Bar state={state} label={fillText(texts.progress, { title: isolate(title) })} />
        )}
        {(isBegun || (state && isListed)) && (
          <button
            type="button"
            className="icon-button"
            aria-label={`${isBegun ? texts.cancel : texts.clear} ${isolate(title)}`}
            onClick={() => cancelDownload(item)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      {!isQuiet && (
        <p className="download__note" role="status">
          {note && texts.notes[note]}
        </p>
      )}
      {!isQuiet && state?.phase === 'failed' && (
        <Message kind="line" text={problemOf(state.problem, texts, problems)} />
      )}
    </div>
  )
}

function problemOf(
  problem: DownloadProblem,
  texts: DownloadTexts,
  problems: TextsAt<'library:reading'>['problems'],
): string {
  if (problem === 'download_no_space') return texts.noSpace
  return problem === 'download_gone' ? texts.gone : problems[problem]
}

/** The percentage that has arrived, rounded down; null if the total is unknown. */
const percentOf = ({ received, total }: Pick<Download, 'received' | 'total'>) =>
  total ? Math.floor((received / total) * 100) : null

function noteOf(state: Download | undefined) {
  if (!state || state.phase === 'failed') return null
  if (state.phase !== 'running') return state.phase
  return state.isCut ? 'cut' : null
}

interface ButtonContentProps {
  state: Download | undefined
  document: Downloadable
  texts: DownloadTexts
  label: string | undefined
}

/** The button's content: what a press does, and how much has arrived or how large the file is. */
function ButtonContent({ state, document: { fileSize }, texts, label }: ButtonContentProps) {
  const locale = useLocale()
  const isBegun = state && state.phase !== 'done' && state.received > 0
  const percent = isBegun ? percentOf(state) : null
  const detail =
    percent !== null
      ? fillText(texts.percent, { percent })
      : !isBegun && fileSize
        ? formatSize(locale, fileSize)
        : null
  const [icon, text] = iconAndTextOf(state, isBegun === true)
  return (
    <>
      <Icon name={icon} />
      {text === 'download' && label ? label : texts[text]}
      {detail && <bdi className="download__amount">{detail}</bdi>}
    </>
  )
}

function iconAndTextOf(state: Download | undefined, isBegun: boolean) {
  if (state?.phase === 'waiting') return ['pause', 'waiting'] as const
  if (state?.phase === 'running') return ['pause', 'pause'] as const
  if (state?.phase === 'paused' || (state?.phase === 'failed' && isBegun)) {
    return ['download', 'resume'] as const
  }
  return [state?.phase === 'done' ? 'check' : 'download', 'download'] as const
}

function Bar({ state, label }: { state: Download | undefined; label: string }) {
  const percent = state ? percentOf(state) : null
  // Without a value the browser shows indeterminate progress.
  return (
    <progress
      className="download__bar"
      aria-label={label}
      max={100}
      {...((state?.phase !== 'running' || percent !== null) && { value: percent ?? 0 })}
    />
  )
}
