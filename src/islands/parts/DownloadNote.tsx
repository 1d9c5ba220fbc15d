import './download.css'
import type { ReactNode } from 'react'
import type { TextsAt } from '../../i18n/texts.ts'
import type { DownloadOutcome } from '../../stores/library/downloads.ts'
import { lacks } from '../../stores/shared/features.ts'
import { ButtonLink } from './Button.tsx'
import { useTexts } from './island.tsx'
import { Message } from './Message.tsx'

export type DownloadTexts = TextsAt<'downloads:states'>

export type DownloadState = DownloadOutcome | { phase: 'busy' } | null

interface NoteProps {
  state: DownloadState
  documentId: number
  texts: DownloadTexts
  isQuiet?: boolean | undefined
}

/**
 * Says that a download has begun, or why it has not. The texts are a prop because the catalogue's
 * pages load them with this component.
 */
export function DownloadNote({ state, documentId, texts, isQuiet }: NoteProps) {
  const { problems } = useTexts('library:reading')
  const isUnderWay = state?.phase === 'busy' || state?.phase === 'started'
  return (
    <>
      <p className={isQuiet ? 'visually-hidden' : 'download__note'} role="status">
        {isUnderWay && texts[state.phase]}
      </p>
      {state?.phase === 'failed' && (
        <Message
          kind="line"
          text={state.problem === 'download_gone' ? texts.gone : problems[state.problem]}
        />
      )}
      {state?.phase === 'outside' && (
        <Outside address={state.address} texts={texts.outside}>
          {!lacks('reader') && (
            <ButtonLink to={`/read/${documentId}`} target="_top">
              {texts.outside.read}
            </ButtonLink>
          )}
        </Outside>
      )}
    </>
  )
}

interface OutsideProps {
  /** Opens in the phone's own browser. */
  address: string
  texts: DownloadTexts['outside']
  children?: ReactNode
}

/** Says that the browser inside another app saves no files, and leads to one that does. */
export function Outside({ address, texts, children }: OutsideProps) {
  return (
    <Message kind="note" text={texts.text}>
      <div className="cluster">
        <a className="button button--primary" href={address} target="_top">
          {texts.open}
        </a>
        {children}
      </div>
    </Message>
  )
}
