import './keep-button.css'
import { useStore } from '@nanostores/react'
import { formatSize } from '../../i18n/file-size.ts'
import { fillText } from '../../i18n/format.ts'
import { $kept, dropDocument, type Kept, keepDocument } from '../../stores/offline/kept.ts'
import { canKeep } from '../../stores/offline/shells.ts'
import { Icon } from './Icon.tsx'
import { useLocale, useTexts } from './island.tsx'
import { useHydrated } from './use-hydrated.ts'

interface Props {
  documentId: number
  title: string
  /** The version that its owner gets now, if the page knows it. */
  version?: number | undefined
}

/**
 * Keeps a bought document on this phone, to read it without a network, and says how far that is. The
 * island around it needs the texts of `offline:keep`.
 */
export function KeepButton({ documentId, title, version }: Props) {
  const texts = useTexts('offline:keep')
  const kept = useStore($kept, { ssr: nothing }).get(documentId)
  if (!useHydrated() || !canKeep()) return null
  const isKeeping = kept?.state === 'keeping'
  const isOld = kept?.state === 'kept' && version !== undefined && kept.version < version
  const named = (
    <span className="visually-hidden" dir="auto">
      {' '}
      {title}
    </span>
  )
  const action = !kept ? texts.keep : isOld ? texts.renew : texts.goOn
  return (
    <div className="keep">
      <p role="status" className={kept ? 'keep__state' : 'visually-hidden'}>
        {kept && <State kept={kept} isOld={isOld} />}
      </p>
      {!isKeeping && (kept?.state !== 'kept' || isOld) && (
        <button type="button" className="button" onClick={() => keepDocument(documentId)}>
          {!kept && <Icon name="book" />}
          {action}
          {named}
        </button>
      )}
      {kept && !isKeeping && (
        <button type="button" className="icon-button" onClick={() => dropDocument(documentId)}>
          <Icon name="trash" />
          <span className="visually-hidden">{texts.remove}</span>
          {named}
        </button>
      )}
    </div>
  )
}

const NOTHING: ReadonlyMap<number, Kept> = new Map()
const nothing = () => NOTHING

function State({ kept, isOld }: { kept: Kept; isOld: boolean }) {
  const locale = useLocale()
  const texts = useTexts('offline:keep')
  const { state, pages, of, bytes } = kept
  const counts = { done: pages, of }
  if (state === 'kept') {
    return (
      <>
        <Icon name="check" /> {isOld ? texts.old : texts.kept}{' '}
        <bdi className="soft">{formatSize(locale, bytes)}</bdi>
      </>
    )
  }
  if (state === 'full' || state === 'cut') return fillText(texts[state], counts)
  const progress = fillText(texts.progress, counts)
  return (
    <>
      {state === 'keeping' && <span className="spinner" />}{' '}
      {state === 'failed' ? `${texts.failed} ${progress}` : progress}
    </>
  )
}
