import '../../kit/forms/upload-field.css'
import { useStore } from '@nanostores/react'
import { useEffect, useId, useRef, useState } from 'react'
import { fillText, isolate } from '../../../i18n/format.ts'
import { ErrorAlert } from '../../../islands/parts/Message.tsx'
import { IMPORT_FACTS } from '../../../rules/imports.ts'
import { Button } from '../../kit/Button.tsx'
import { DropZone, isUnderWay, UnderWay } from '../../kit/forms/UploadField.tsx'
import { useProblemText } from '../../kit/use-action.tsx'
import { packageUpload } from './import.ts'
import { chosenFiles, droppedFiles, type NamedFile, PACK_LIMITS, PackFailed, pack } from './pack.ts'
import { useTexts } from './texts.ts'

interface Props {
  /** Whether the last import was refused, so that the user sends only corrected files. */
  isAgain: boolean
}

export function PackageField({ isAgain }: Props) {
  const texts = useTexts('office-import:choose')
  const problemText = useProblemText()
  const state = useStore(packageUpload.$state)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [packedPart, setPackedPart] = useState<number | null>(null)
  const [failure, setFailure] = useState<PackFailed['reason'] | null>(null)
  const id = useId()
  useEffect(() => packageUpload.open(), [])

  const send = async (chosen: Promise<NamedFile[]> | NamedFile[]) => {
    setFailure(null)
    setPackedPart(0)
    try {
      const found = await chosen
      if (found.length > 0) packageUpload.choose(await pack(found, setPackedPart))
    } catch (error) {
      setFailure(error instanceof PackFailed ? error.reason : 'unreadable')
    }
    setPackedPart(null)
    for (const input of [files.current, folder.current]) if (input) input.value = ''
  }
  const isBusy = packedPart !== null || isUnderWay(state)
  return (
    <DropZone isBusy={isBusy} onDrop={(dropped) => send(droppedFiles(dropped))}>
      <p className="upload__label" id={`${id}-label`}>
        {isAgain ? texts.labelAgain : texts.label}
      </p>
      <p className="field__hint">
        {isAgain && `${texts.hintAgain} `}
        {fillText(texts.hint, IMPORT_FACTS)}
      </p>
      {state.phase === 'failed' && <ErrorAlert text={problemText(state.problem)} />}
      {failure && <ErrorAlert text={fillText(texts[failure], PACK_LIMITS)} />}
      {packedPart !== null ? (
        <p role="status">
          <span className="spinner" />{' '}
          {fillText(texts.packing, { percent: Math.floor(packedPart * 100) })}
        </p>
      ) : isUnderWay(state) ? (
        <UnderWay upload={packageUpload} state={state} />
      ) : (
        <Buttons
          missingUpload={state.phase === 'file-missing' ? state.name : null}
          describedBy={`${id}-label`}
          onFiles={() => files.current?.click()}
          onFolder={() => folder.current?.click()}
        />
      )}
      <input
        ref={files}
        type="file"
        multiple
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ target }) => void send(chosenFiles(target.files))}
      />
      <input
        ref={(input) => {
          folder.current = input
          input?.setAttribute('webkitdirectory', '')
        }}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ target }) => void send(chosenFiles(target.files))}
      />
    </DropZone>
  )
}

interface ButtonsProps {
  /**
   * The name of an unfinished upload of an earlier visit, whose files the user must choose again.
   */
  missingUpload: string | null
  describedBy: string
  onFiles: () => void
  onFolder: () => void
}

function Buttons({ missingUpload, describedBy, onFiles, onFolder }: ButtonsProps) {
  const texts = useTexts('office-import:choose')
  const upload = useTexts('office:upload')
  return (
    <>
      {missingUpload !== null && (
        <p role="status">{fillText(upload.chooseAgain, { name: isolate(missingUpload) })}</p>
      )}
      <div className="cluster">
        <Button kind="primary" aria-describedby={describedBy} onClick={onFiles}>
          {texts.files}
        </Button>
        <Button className="import__folder" onClick={onFolder}>
          {texts.folder}
        </Button>
      </div>
      <p className="upload__drop soft small">{texts.drop}</p>
    </>
  )
}
