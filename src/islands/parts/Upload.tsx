import './upload.css'
import { type ComponentProps, useRef } from 'react'
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

interface ChoiceProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'onChange'> {
  /** The file types that the browser offers; by default any. */
  accept?: string
  /** Whether several files are chosen, or a folder with all that is in it. */
  of?: 'files' | 'folder'
  /** Hears what was chosen, never nothing; the same may be chosen again. */
  onChoose: (files: File[]) => void
}

/** A button that opens the browser's choice of files. */
export function ChooseFile({ accept, of, onChoose, ...button }: ChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={(element) => {
          input.current = element
          element?.toggleAttribute('webkitdirectory', of === 'folder')
        }}
        type="file"
        multiple={of === 'files'}
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        accept={accept}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) onChoose(files)
        }}
      />
    </>
  )
}
