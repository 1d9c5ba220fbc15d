import './download.css'
import { useStore } from '@nanostores/react'
import { formatSize } from '../../i18n/file-size.ts'
import { fillText } from '../../i18n/format.ts'
import type { TextsAt } from '../../i18n/text-keys.ts'
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
export interface Downloadable {
  documentId: number
  /** An earlier one. */
  version?: number | undefined
  title: string
  fileType?: string | undefined
  fileSize?: number | undefined
}

export interface DownloadProps {
  document: Downloadable
  place: ReadingPlace
  /** What the button says as long as nothing has begun. */
  label?: string
  /** In a list of downloads, from which one that has ended can be taken. */
  isListed?: boolean
  /** Where the list of downloads stands on the same page, which says how each goes on or why it failed. */
  isQuiet?: boolean
}

const NOTHING = {}
const nothing = () => NOTHING

/**
 * Downloads a document; while it arrives, the same button pauses and resumes it, with its progress along
 * the lower edge. Its texts are given, since the catalogue's pages load them with this.
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
  const isGoing = state?.phase === 'waiting' || state?.phase === 'running'
  const isBegun = isGoing || state?.phase === 'paused'
  const note = noteOf(state)
  const press = () => {
    if (isGoing) pauseDownload(item)
    else void download({ ...item, title, ...(fileType && { fileType }) }, place)
  }
  return (
    <div className="download">
      <div className="download__controls">
        <button type="button" className="button download__button" onClick={press}>
          <Face state={state} document={document} texts={texts} label={label} />
          <span className="visually-hidden" dir="auto">
            {' '}
            {title}
          </span>
        </button>
        {isBegun && (
          <Bar state={state} label={fillText(texts.progress, { title: isolated(title) })} />
        )}
        {(isBegun || (state && isListed)) && (
          <button
            type="button"
            className="icon-button"
            aria-label={`${isBegun ? texts.cancel : texts.clear} ${isolated(title)}`}
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
        <p className="field__error" role="alert">
          {problemOf(state.problem, texts, problems)}
        </p>
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

const isolated = (text: string) => `\u2068${text}\u2069`

/** The whole per cent that have arrived; null where nobody knows of how much. */
const percentOf = ({ received, total }: Pick<Download, 'received' | 'total'>) =>
  total ? Math.floor((received / total) * 100) : null

function noteOf(state: Download | undefined) {
  if (!state || state.phase === 'failed') return null
  if (state.phase !== 'running') return state.phase
  return state.isCut ? 'cut' : null
}

interface FaceProps {
  state: Download | undefined
  document: Downloadable
  texts: DownloadTexts
  label: string | undefined
}

/** What the button says: what a press does, and how much has arrived or how large it is. */
function Face({ state, document: { fileSize }, texts, label }: FaceProps) {
  const locale = useLocale()
  const isBegun = state && state.phase !== 'done' && state.received > 0
  const percent = isBegun ? percentOf(state) : null
  const beside =
    percent !== null
      ? fillText(texts.percent, { percent })
      : !isBegun && fileSize
        ? formatSize(locale, fileSize)
        : null
  const [icon, text] = faceOf(state, isBegun === true)
  return (
    <>
      <Icon name={icon} />
      {text === 'download' && label ? label : texts[text]}
      {beside && <bdi className="download__amount">{beside}</bdi>}
    </>
  )
}

function faceOf(state: Download | undefined, isBegun: boolean) {
  if (state?.phase === 'waiting') return ['pause', 'waiting'] as const
  if (state?.phase === 'running') return ['pause', 'pause'] as const
  if (state?.phase === 'paused' || (state?.phase === 'failed' && isBegun)) {
    return ['download', 'resume'] as const
  }
  return [state?.phase === 'done' ? 'check' : 'download', 'download'] as const
}

function Bar({ state, label }: { state: Download | undefined; label: string }) {
  const percent = state ? percentOf(state) : null
  // Without a value the browser shows that something is going on.
  return (
    <progress
      className="download__bar"
      aria-label={label}
      max={100}
      {...((state?.phase !== 'running' || percent !== null) && { value: percent ?? 0 })}
    />
  )
}
