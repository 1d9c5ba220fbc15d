import './upload-field.css'
import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { fillText, isolate } from '../../../i18n/format.ts'
import { useTexts } from '../../../islands/parts/island.tsx'
import { ErrorAlert, Message } from '../../../islands/parts/Message.tsx'
import { ChooseFile, isUnderWay, UploadProgress } from '../../../islands/parts/Upload.tsx'
import { inMegabytes, type StaffUploadPurpose, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { useProblemText } from '../use-action.tsx'
import type { UploadStore } from './upload.ts'

interface Props {
  /** Created once per page with `createUpload`. */
  upload: UploadStore
  /** The label: "The file of the document". */
  label: string
  /** A sentence about the allowed files. */
  hint?: string
}

const PICTURES = 'image/png,image/jpeg,image/webp'

/** The file types that the browser offers; the server checks the file itself. */
const ACCEPTED: Readonly<Record<StaffUploadPurpose, string>> = {
  document: 'application/pdf,.pdf',
  cover: PICTURES,
  portrait: PICTURES,
  // Any type: the files are packed into one.
  import: '',
}

/**
 * The choice of a file, with a dialog or by dropping it, and its upload, which continues after a
 * lost connection, a pause or a reload.
 */
export function UploadField({ upload, label, hint }: Props) {
  const texts = useTexts('office:upload')
  const problemText = useProblemText()
  const state = useStore(upload.$state)
  const [isTooLarge, setTooLarge] = useState(false)
  const id = useId()
  useEffect(() => upload.open(), [upload])

  const choose = (file: File | undefined) => {
    if (!file) return
    const most = UPLOAD_MAX_BYTES[upload.purpose]
    setTooLarge(file.size > most)
    if (file.size <= most) upload.choose(file)
  }
  return (
    <DropZone isBusy={isUnderWay(state)} onDrop={({ files }) => choose(files[0])}>
      <p className="strong" id={`${id}-label`}>
        {label}
      </p>
      {hint && <p className="field__hint">{hint}</p>}
      {state.phase === 'failed' && !isTooLarge && (
        <ErrorAlert text={`${isolate(state.name)}: ${problemText(state.problem)}`} />
      )}
      {isTooLarge && (
        <ErrorAlert
          text={fillText(texts.tooLarge, {
            megabytes: inMegabytes(UPLOAD_MAX_BYTES[upload.purpose]),
          })}
        />
      )}
      {isUnderWay(state) ? (
        <UploadProgress upload={upload} state={state} texts={texts} />
      ) : (
        <>
          {state.phase === 'done' && <p role="status">{texts.done}</p>}
          {state.phase === 'done' && state.missingFonts.length > 0 && (
            <Message
              kind="note"
              text={fillText(texts.missingFonts, {
                fonts: isolate(state.missingFonts.join(', ')),
              })}
            />
          )}
          {state.phase === 'done' && state.isSigned && <Message kind="note" text={texts.signed} />}
          {state.phase === 'file-missing' && (
            <p role="status">{fillText(texts.chooseAgain, { name: isolate(state.name) })}</p>
          )}
          <ChooseFile
            accept={ACCEPTED[upload.purpose]}
            aria-describedby={`${id}-label`}
            onChoose={([file]) => choose(file)}
          >
            {state.phase === 'done' ? texts.chooseOther : texts.choose}
          </ChooseFile>
          <p className="upload__drop soft small">{texts.drop}</p>
        </>
      )}
    </DropZone>
  )
}

interface DropZoneProps {
  /** Whether dropped files are ignored, such as during an upload. */
  isBusy: boolean
  onDrop: (dropped: DataTransfer) => void
  children: ReactNode
}

export function DropZone({ isBusy, onDrop, children }: DropZoneProps) {
  const [isDraggedOver, setDraggedOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping files is an alternative to the buttons inside
    <div
      className={
        isDraggedOver
          ? 'upload upload--over stack items-start gap-2'
          : 'upload stack items-start gap-2'
      }
      onDragOver={(event) => {
        event.preventDefault()
        setDraggedOver(true)
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDraggedOver(false)
        if (!isBusy) onDrop(event.dataTransfer)
      }}
    >
      {children}
    </div>
  )
}
