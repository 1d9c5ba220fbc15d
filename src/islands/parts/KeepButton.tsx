import './keep-button.css'
import { useStore } from '@nanostores/react'
import { formatSize } from '../../i18n/file-size.ts'
import { fillText } from '../../i18n/format.ts'
import { keepDocument } from '../../stores/offline/keep-document.ts'
import {
  $keeping,
  $kept,
  dropDocument,
  type Kept,
  type KeptState,
} from '../../stores/offline/kept.ts'
import { $hasWorker } from '../../stores/offline/shells.ts'
import { lacks } from '../../stores/shared/features.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { useLocale, useTexts } from './island.tsx'

interface Props {
  documentId: number
  title: string
  /** The version that its owner gets now, if the page knows it. */
  version?: number | undefined
}

/**
 * Keeps a bought document on this device for reading offline, and shows the progress. The island
 * around it needs the texts of `offline:keep`.
 */
export function KeepButton({ documentId, title, version }: Props) {
  const texts = useTexts('offline:keep')
  const kept = useStore($kept, { ssr: nothing }).get(documentId)
  const begun = useStore($keeping, { ssr: nothing }).get(documentId)
  const hasWorker = useStore($hasWorker, { ssr: no })
  const state = kept?.state ?? begun
  if (lacks('reader') || (!state && !hasWorker)) return null
  const isKeeping = state === 'keeping'
  const isOld = kept?.state === 'kept' && version !== undefined && kept.version < version
  const named = (
    <span className="visually-hidden" dir="auto">
      {' '}
      {title}
    </span>
  )
  const action = !state ? texts.keep : isOld ? texts.renew : texts.goOn
  return (
    <div className="keep">
      <p role="status" className={state ? 'keep__state' : 'visually-hidden'}>
        {state && <State state={state} kept={kept} isOld={isOld} />}
      </p>
      {hasWorker && !isKeeping && (state !== 'kept' || isOld) && (
        <Button onClick={() => keepDocument(documentId)}>
          {!state && <Icon name="device" />}
          {action}
          {named}
        </Button>
      )}
      {(kept || isKeeping) && (
        <button type="button" className="icon-button" onClick={() => dropDocument(documentId)}>
          <Icon name="trash" />
          <span className="visually-hidden">{texts.remove}</span>
          {named}
        </button>
      )}
    </div>
  )
}

const NOTHING = new Map<number, never>()
const nothing = () => NOTHING
const no = () => false

interface StateProps {
  state: KeptState
  /** Missing if no page is kept. */
  kept: Kept | undefined
  isOld: boolean
}

function State({ state, kept, isOld }: StateProps) {
  const locale = useLocale()
  const texts = useTexts('offline:keep')
  if (state === 'kept' && kept) {
    return (
      <>
        <Icon name="check" /> {isOld ? texts.old : texts.kept}{' '}
        <bdi className="soft">{formatSize(locale, kept.bytes)}</bdi>
      </>
    )
  }
  const progress = kept && fillText(texts.progress, { done: kept.pages, of: kept.of })
  if (state === 'keeping') {
    return (
      <>
        <span className="spinner" /> {progress ?? texts.starting}
      </>
    )
  }
  const reason = state === 'partly' || state === 'kept' ? '' : texts[state]
  return [reason, progress].filter(Boolean).join(' ')
}
