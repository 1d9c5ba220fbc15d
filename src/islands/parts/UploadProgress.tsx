import './upload-progress.css'
import { fillText } from '../../i18n/format.ts'
import type { TextsAt } from '../../i18n/texts.ts'
import type { Sending, UploadState } from '../../stores/shared/upload.ts'
import { Button } from './Button.tsx'

/** The state of a running or paused upload. */
type ActiveUpload = Extract<UploadState, { phase: 'sending' | 'paused' | 'waiting' | 'checking' }>

export function isUnderWay(state: UploadState): state is ActiveUpload {
  return ['sending', 'paused', 'waiting', 'checking'].includes(state.phase)
}

interface Props {
  upload: Pick<Sending, 'pause' | 'resume' | 'cancel'>
  state: ActiveUpload
  texts: TextsAt<'payment:upload'>
}

/** How far a file has been sent, with what its sender can do meanwhile. */
export function UploadProgress({ upload, state, texts }: Props) {
  const percent = state.size === 0 ? 100 : Math.floor((state.sent / state.size) * 100)
  return (
    <>
      <p className="along" dir="auto">
        {state.name}
      </p>
      <progress className="upload__bar" max={100} value={percent} aria-label={texts.progress} />
      {/* No `role="status"` while sending, or screen readers would announce every part. */}
      <p role={state.phase === 'sending' ? undefined : 'status'} className="soft">
        {fillText(texts[state.phase], { percent })}
      </p>
      <div className="cluster">
        {state.phase === 'sending' && <Button onClick={upload.pause}>{texts.pause}</Button>}
        {(state.phase === 'paused' || state.phase === 'waiting') && (
          <Button kind="primary" onClick={upload.resume}>
            {state.phase === 'paused' ? texts.resume : texts.tryNow}
          </Button>
        )}
        {state.phase !== 'checking' && (
          <Button kind="plain" onClick={upload.cancel}>
            {texts.cancel}
          </Button>
        )}
      </div>
    </>
  )
}
