import './import.css'
import '../../../islands/parts/dialog.css'
import '../../kit/forms/upload-field.css'
import { useStore } from '@nanostores/react'
import { useEffect, useId, useState } from 'react'
import type { ImportNote, ImportProblem, Import as Last } from '../../../contract/office-imports.ts'
import { fillText, isolate, limitText, pluralText } from '../../../i18n/format.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { Dialog } from '../../../islands/parts/Dialog.tsx'
import { useErrorTexts } from '../../../islands/parts/error-texts.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ErrorAlert, Message } from '../../../islands/parts/Message.tsx'
import { ChooseFile, isUnderWay, UploadProgress } from '../../../islands/parts/Upload.tsx'
import { DOCUMENT_PRICE_MAX, DOCUMENT_PRICE_MIN } from '../../../rules/document-fields.ts'
import { IMPORT_FACTS } from '../../../rules/imports.ts'
import { TYPED_PAGES } from '../../../rules/reading.ts'
import { DropZone } from '../../kit/forms/UploadField.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { useAction, useProblemText } from '../../kit/use-action.tsx'
import { chosenFiles, droppedFiles, type NamedFile } from './chosen-files.ts'
import {
  downloadTemplate,
  giveUpImport,
  lastImport,
  packageUpload,
  startImport,
  watchImport,
} from './import.ts'
import { PACK_LIMITS, PackFailed, pack } from './pack.ts'

const { island, useTexts } = officeTexts(
  'office-import:page',
  'office-import:steps',
  'office-import:download',
  'office-import:choose',
  'office-import:phases',
  'office-import:refused',
  'office-import:notes',
  'office-import:ready',
  'office-import:done',
  'office-import:broken',
  'office-import:problems',
  'office:upload',
)

const OUTLINES = ['line', 'line', 'button'] as const

function Import() {
  const texts = useTexts('office-import:page')
  return (
    <LoadedStore from={lastImport} texts={texts} shapes={OUTLINES}>
      {(value) => (
        <div className="import stack gap-8">
          <Standing last={value} />
        </div>
      )}
    </LoadedStore>
  )
}

function Standing({ last }: { last: Last | null }) {
  const texts = useTexts('office-import:broken')
  switch (last?.phase) {
    case 'checking':
    case 'importing':
      return <Progress last={last} />
    case 'ready':
      return <Ready last={last} />
    case 'refused':
      return (
        <>
          <Problems last={last} />
          <Choose last={last} />
        </>
      )
    case 'done':
      return (
        <>
          <Done last={last} />
          <Choose last={null} />
        </>
      )
    case 'failed':
      return (
        <>
          <Message kind="error">
            <strong>{texts.title}.</strong>{' '}
            {last.problems[0] ? <Sentence problem={last.problems[0]} /> : texts.text}
          </Message>
          <Choose last={null} />
        </>
      )
    default:
      return <Choose last={null} />
  }
}

function Choose({ last }: { last: Last | null }) {
  const steps = useTexts('office-import:steps')
  const texts = useTexts('office-import:choose')
  return (
    <>
      {!last && (
        <section className="stack">
          <h2>{steps.title}</h2>
          <ol className="import__steps stack gap-3">
            <li>
              {fillText(steps.template, IMPORT_FACTS)} <Template />
            </li>
            <li>{steps.files}</li>
            <li>{steps.check}</li>
            <li>{steps.drafts}</li>
          </ol>
        </section>
      )}
      <section className="stack">
        <h2>{last ? texts.again : texts.title}</h2>
        <PackageField isAgain={last !== null} />
        {last && <StartOver id={last.id} />}
      </section>
    </>
  )
}

function Template() {
  const locale = useLocale()
  const texts = useTexts('office-import:download')
  const problemText = useProblemText()
  const { attempt, problem } = useAction()
  return (
    <>
      <Button className="import__template" onClick={() => attempt(() => downloadTemplate(locale))}>
        {texts.button}
      </Button>
      {problem && <ErrorAlert text={`${texts.failed} ${problemText(problem)}`} />}
    </>
  )
}

function StartOver({ id }: { id: string }) {
  const texts = useTexts('office-import:choose')
  const { alert, attempt } = useAction()
  return (
    <div>
      <Button kind="plain" onClick={() => attempt(() => giveUpImport(id))}>
        {texts.anew}
      </Button>
      {alert}
    </div>
  )
}

function Ready({ last }: { last: Last }) {
  const locale = useLocale()
  const texts = useTexts('office-import:ready')
  const { alert, attempt, isBusy } = useAction()
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      <p className="along soft" dir="auto">
        {last.name}
      </p>
      <ul className="strong">
        <li>{pluralText(locale, texts, 'created', last.created)}</li>
        {last.unchanged > 0 && <li>{pluralText(locale, texts, 'known', last.unchanged)}</li>}
      </ul>
      <Notes last={last} />
      <p>{texts.text}</p>
      {alert}
      <div className="cluster">
        <Button kind="primary" isBusy={isBusy} onClick={() => attempt(() => startImport(last.id))}>
          {texts.start}
        </Button>
        <Button onClick={() => attempt(() => giveUpImport(last.id))}>{texts.other}</Button>
      </div>
    </section>
  )
}

function Done({ last }: { last: Last }) {
  const texts = useTexts('office-import:done')
  return (
    <section className="import__done stack" role="status">
      <h2>{texts.title}</h2>
      <p className="along soft" dir="auto">
        {last.name}
      </p>
      <dl className="import__sums cluster items-stretch gap-8 lines-2">
        {(['created', 'changed', 'unchanged'] as const).map((each) => (
          <div key={each}>
            <dt>{texts[each]}</dt>
            <dd>{last[each]}</dd>
          </div>
        ))}
      </dl>
      <Notes last={last} />
      <div>
        <ButtonLink kind="primary" to="/office/documents">
          {texts.documents}
        </ButtonLink>
      </div>
    </section>
  )
}

function Progress({ last }: { last: Last }) {
  const texts = useTexts('office-import:phases')
  const [isStopOpen, setStopOpen] = useState(false)
  useEffect(watchImport, [])
  const { step, done, total, name, isBegunAnew } = last
  return (
    <section className="stack import__progress">
      <p className="along" dir="auto">
        {name}
      </p>
      <p role="status">
        <strong>{step ? texts[step] : texts.waiting}</strong>
      </p>
      <progress
        className="upload__bar"
        aria-label={step ? texts[step] : texts.waiting}
        {...(step && { max: Math.max(total, 1), value: done })}
      />
      {step && total > 0 && <p className="soft">{fillText(texts.progress, { done, total })}</p>}
      {isBegunAnew && <Message kind="note" text={texts.begunAnew} />}
      <p className="soft">{texts.leave}</p>
      <div>
        <Button onClick={() => setStopOpen(true)}>{texts.stop}</Button>
      </div>
      {isStopOpen && <Stop id={last.id} onClose={() => setStopOpen(false)} />}
    </section>
  )
}

function Stop({ id, onClose }: { id: string; onClose: () => void }) {
  const texts = useTexts('office-import:phases')
  const { alert, attempt } = useAction()
  return (
    <Dialog
      title={texts.stopTitle}
      closeText={texts.close}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{texts.stopNo}</Button>
          <Button kind="danger" onClick={() => attempt(() => giveUpImport(id))}>
            {texts.stop}
          </Button>
        </>
      }
    >
      {alert}
      <p>{texts.stopText}</p>
    </Dialog>
  )
}

interface Props {
  /** Whether the last import was refused, so that the user sends only corrected files. */
  isAgain: boolean
}

function PackageField({ isAgain }: Props) {
  const texts = useTexts('office-import:choose')
  const uploadTexts = useTexts('office:upload')
  const problemText = useProblemText()
  const state = useStore(packageUpload.$state)
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
  }
  const isBusy = packedPart !== null || isUnderWay(state)
  return (
    <DropZone isBusy={isBusy} onDrop={(dropped) => send(droppedFiles(dropped))}>
      <p className="strong" id={`${id}-label`}>
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
        <UploadProgress upload={packageUpload} state={state} texts={uploadTexts} />
      ) : (
        <Buttons
          missingUpload={state.phase === 'file-missing' ? state.name : null}
          describedBy={`${id}-label`}
          onFiles={(files) => void send(chosenFiles(files))}
        />
      )}
    </DropZone>
  )
}

interface ButtonsProps {
  /**
   * The name of an unfinished upload of an earlier visit, whose files the user must choose again.
   */
  missingUpload: string | null
  describedBy: string
  onFiles: (files: File[]) => void
}

function Buttons({ missingUpload, describedBy, onFiles }: ButtonsProps) {
  const texts = useTexts('office-import:choose')
  const upload = useTexts('office:upload')
  return (
    <>
      {missingUpload !== null && (
        <p role="status">{fillText(upload.chooseAgain, { name: isolate(missingUpload) })}</p>
      )}
      <div className="cluster">
        <ChooseFile kind="primary" of="files" aria-describedby={describedBy} onChoose={onFiles}>
          {texts.files}
        </ChooseFile>
        <ChooseFile className="import__folder" of="folder" onChoose={onFiles}>
          {texts.folder}
        </ChooseFile>
      </div>
      <p className="upload__drop soft small">{texts.drop}</p>
    </>
  )
}

function Problems({ last }: { last: Last }) {
  const locale = useLocale()
  const texts = useTexts('office-import:refused')
  const { problems, problemCount } = last
  return (
    <section className="stack">
      <h2>{pluralText(locale, texts, 'title', problemCount)}</h2>
      <p>{texts.text}</p>
      {problems.length < problemCount && (
        <p className="soft">{fillText(texts.first, { count: problems.length })}</p>
      )}
      <table className="import__problems">
        <thead>
          <tr>
            <th scope="col">{texts.row}</th>
            <th scope="col">{texts.column}</th>
            <th scope="col">{texts.what}</th>
          </tr>
        </thead>
        <tbody>
          {problems.map((problem, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <tr key={at}>
              <td>{problem.row ?? texts.list}</td>
              <td>{problem.column && <code dir="ltr">{breakable(problem.column)}</code>}</td>
              <td>
                <Sentence problem={problem} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Notes last={last} />
    </section>
  )
}

function Notes({ last: { notes } }: { last: Last }) {
  const texts = useTexts('office-import:notes')
  const { row, column } = useTexts('office-import:refused')
  if (notes.length === 0) return null
  const placeOf = (note: ImportNote) =>
    [note.row && `${row} ${note.row}`, note.column && `${column} ${note.column}`].filter(Boolean)
  return (
    <section className="alert stack" aria-label={texts.title}>
      <strong>{texts.title}</strong>
      <ul>
        {notes.map((note, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={at}>
            {note.row !== null && `${placeOf(note).join(', ')} – `}
            {fillText(texts[note.code], { detail: isolate(note.detail) })}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The name of a column, with a possible line break after each word. */
const breakable = (name: string): string => name.replaceAll('_', '_\u200b')

function Sentence({ problem: { code, detail } }: { problem: ImportProblem }) {
  const locale = useLocale()
  const texts = useTexts('office-import:problems')
  const files: Readonly<Record<string, string>> = useErrorTexts()
  if (code === 'bad_file') return files[detail] ?? detail
  return fillText(texts[code], {
    detail: isolate(detail),
    pages: `\u2066${TYPED_PAGES}\u2069`,
    min: isolate(limitText(locale, DOCUMENT_PRICE_MIN)),
    max: isolate(limitText(locale, DOCUMENT_PRICE_MAX)),
  })
}

export default island(Import)
