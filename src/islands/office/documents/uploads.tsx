import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { VERSION_NOTE_MAX_LENGTH } from '../../../rules/document-life.ts'
import { FILE_MAX_PAGES, inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { type Own, saveNote, takeCover, takeFile } from '../../../stores/office/documents/own.ts'
import { createUpload } from '../../../stores/office/upload.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { UploadField } from '../parts/UploadField.tsx'
import { useAttempt, useProblemText } from '../parts/use-attempt.tsx'

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
  const note = useRef<HTMLFormElement>(null)
  const [upload] = useState(() =>
    createUpload({
      purpose: 'document',
      keepAs: `document-${document.id}-file`,
      onDone: (id) => {
        const noteText = new FormData(note.current ?? undefined).get('note')
        return takeFile(document.id, id, String(noteText ?? ''))
      },
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
      {fileType && wasSeen && <FileNote own={own} form={note} />}
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
  /** The parent reads `note` from this form when it uploads a file. */
  form: RefObject<HTMLFormElement | null>
}

/** A note on what changed in the file. It can be edited before the upload and until the review. */
function FileNote({ own: { document, versions }, form }: FileNoteProps) {
  const texts = useTexts('office-documents:form')
  const problemText = useProblemText()
  const [newest] = versions
  const open = newest?.state === 'draft' || newest?.state === 'submitted' ? newest : null
  const [state, setState] = useState<'same' | 'saved' | Problem>('same')

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const note = String(new FormData(form.current ?? undefined).get('note') ?? '').trim()
    if (!open || note === open.note) return
    try {
      await saveNote(document.id, open.number, note)
      setState('saved')
    } catch (error) {
      setState(problemOf(error))
    }
  }
  return (
    <form ref={form} onSubmit={save} onBlur={save} onChange={() => setState('same')}>
      <Field
        name="note"
        label={texts.file.note}
        hint={document.firstPublishedAt ? texts.file.review : texts.file.replaces}
        error={typeof state === 'object' ? problemText(state) : undefined}
        defaultValue={open?.note}
        dir="auto"
        autoComplete="off"
        maxLength={VERSION_NOTE_MAX_LENGTH}
      />
      <p role="status" className="soft">
        {state === 'saved' && texts.file.noteSaved}
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
  const { alert, attempt, isBusy } = useAttempt()
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
