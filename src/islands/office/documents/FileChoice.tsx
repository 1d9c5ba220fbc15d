import { useRef, useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { VERSION_NOTE_MAX_LENGTH } from '../../../rules/document-life.ts'
import { FILE_MAX_PAGES, inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { takeFile } from '../../../stores/office/documents/own.ts'
import { createUpload } from '../../../stores/office/upload.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { UploadField } from '../parts/UploadField.tsx'

interface Props {
  document: OwnDocument
  need: string | undefined
  /** Why it was returned, where that is about the file. */
  reason: string | undefined
}

/** The PDF: the first one, or a new version of it with a line on what changed. */
export function FileChoice({ document, need, reason }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const note = useRef<HTMLFormElement>(null)
  const [upload] = useState(() =>
    createUpload({
      purpose: 'document',
      keepAs: `document-${document.id}-file`,
      onDone: ({ id }) => {
        const said = new FormData(note.current ?? undefined).get('note')
        return takeFile(document.id, id, String(said ?? ''))
      },
    }),
  )
  const { pageCount, fileType, firstPublishedAt } = document
  const hint = fillText(texts.file.hint, {
    megabytes: inMegabytes(UPLOAD_MAX_BYTES.document),
    pages: FILE_MAX_PAGES,
  })
  return (
    <section className="stack editor__file">
      <h2>{fields.file}</h2>
      {reason && <p className="field__error">{reason}</p>}
      {fileType && (
        <p>
          {texts.file.there}{' '}
          {pageCount !== null && pluralText(locale, texts.file, 'pages', pageCount)}
        </p>
      )}
      {fileType && (
        <form ref={note} onSubmit={(event) => event.preventDefault()}>
          <Field
            name="note"
            label={texts.file.note}
            hint={firstPublishedAt ? texts.file.review : texts.file.replaces}
            dir="auto"
            autoComplete="off"
            maxLength={VERSION_NOTE_MAX_LENGTH}
          />
        </form>
      )}
      <UploadField
        upload={upload}
        label={fileType ? texts.file.other : texts.file.first}
        hint={hint}
      />
      {need && <p className="field__hint">{need}</p>}
    </section>
  )
}
