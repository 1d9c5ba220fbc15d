import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { VERSION_NOTE_MAX_LENGTH } from '../../../rules/document-life.ts'
import { FILE_MAX_PAGES, inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { UploadField } from '../../kit/forms/UploadField.tsx'
import { createUpload } from '../../kit/forms/upload.ts'
import { useAction, useProblemText } from '../../kit/use-action.tsx'
import { type Own, saveNote, takeCover, takeFile } from './own.ts'

interface FileChoiceProps {
  own: Own
  need: string | undefined
  /** Why the document was returned, if the reason concerns the file. */
  reason: string | undefined
}

export function FileChoice({ own, need, reason }: FileChoiceProps) {
  const { document } = own
  const locale = useLocale()
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const note = useRef('')
  const [upload] = useState(() =>
    createUpload({
      purpose: 'document',
      keepAs: `document-${document.id}-file`,
      onDone: (id) => takeFile(document.id, id, note.current),
    }),
  )
  const { pageCount, fileType } = document
  const hint = fillText(texts.file.hint, {
    megabytes: inMegabytes(UPLOAD_MAX_BYTES.document),
    pages: FILE_MAX_PAGES,
  })
  // Nobody has seen a first draft: nothing of it has changed.
  const wasSeen = document.firstPublishedAt !== null || document.state === 'returned'
  return (
    <section className="stack editor__file">
      <h2>{fields.file}</h2>
      {reason && <p className="field__error">{reason}</p>}
      {fileType && (
        <div className="cluster">
          <p>
            {texts.file.there}{' '}
            {pageCount !== null && pluralText(locale, texts.file, 'pages', pageCount)}
          </p>
          <FileLink documentId={document.id}>{texts.file.look}</FileLink>
          <ButtonLink to={`/office/sample?id=${document.id}`}>{texts.file.sample}</ButtonLink>
        </div>
      )}
      {fileType && wasSeen && <FileNote own={own} note={note} />}
      <UploadField
        upload={upload}
        label={fileType ? texts.file.other : texts.file.first}
        hint={hint}
      />
      {need && <p className="field__error">{need}</p>}
    </section>
  )
}

interface FileNoteProps {
  own: Pick<Own, 'document' | 'versions'>
  /** The note as it is typed, which goes along with a file that is uploaded. */
  note: RefObject<string>
}

/** A note on what changed in the file. It can be edited before the upload and until the review. */
function FileNote({ own: { document, versions }, note }: FileNoteProps) {
  const texts = useTexts('office-documents:form')
  const problemText = useProblemText()
  const [newest] = versions
  const open = newest?.state === 'draft' || newest?.state === 'submitted' ? newest : null
  const { said, problem, attempt, say } = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the field begins
  useEffect(() => {
    note.current = open?.note ?? ''
  }, [])

  const save = (event: FormEvent) => {
    event.preventDefault()
    const text = note.current.trim()
    if (!open || text === open.note) return
    void attempt(async () => {
      await saveNote(document.id, open.number, text)
      return texts.file.noteSaved
    })
  }
  return (
    <form onSubmit={save} onBlur={save}>
      <Field
        name="note"
        label={texts.file.note}
        hint={document.firstPublishedAt ? texts.file.review : texts.file.replaces}
        error={problem ? problemText(problem) : undefined}
        defaultValue={open?.note}
        onChange={({ target }) => {
          note.current = target.value
          say('')
        }}
        dir="auto"
        autoComplete="off"
        maxLength={VERSION_NOTE_MAX_LENGTH}
      />
      <p role="status" className="soft">
        {said}
      </p>
    </form>
  )
}

interface FileLinkProps {
  documentId: number
  /** The newest version by default. */
  version?: number
  children: ReactNode
}

export function FileLink({ documentId, version, children }: FileLinkProps) {
  const path = pathIn(useLocale(), '/office/file')
  const query = version === undefined ? '' : `&version=${version}`
  return (
    <a className="button" href={`${path}?id=${documentId}${query}`}>
      {children}
    </a>
  )
}

interface CoverChoiceProps {
  document: OwnDocument
  /** Why the document was returned, if the reason concerns the cover. */
  reason: string | undefined
}

export function CoverChoice({ document, reason }: CoverChoiceProps) {
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const { alert, attempt, isBusy } = useAction()
  const [upload] = useState(() =>
    createUpload({
      purpose: 'cover',
      keepAs: `document-${document.id}-cover`,
      onDone: (id) => takeCover(document.id, id),
    }),
  )
  const draw = () => attempt(() => takeCover(document.id, null))
  return (
    <section className="stack">
      <h2>{fields.cover}</h2>
      {reason && <p className="field__error">{reason}</p>}
      <p>{document.coverPath ? texts.cover.isPicture : texts.cover.isDrawn}</p>
      {alert}
      {document.coverPath && (
        <p>
          <Button isBusy={isBusy} onClick={draw}>
            {texts.cover.draw}
          </Button>
        </p>
      )}
      <UploadField
        upload={upload}
        label={texts.cover.upload}
        hint={fillText(texts.cover.hint, { megabytes: inMegabytes(UPLOAD_MAX_BYTES.cover) })}
      />
    </section>
  )
}
