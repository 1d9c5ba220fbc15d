import { useRef, useState } from 'react'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { FILE_MAX_PAGES, inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { type Own, takeFile } from '../../../stores/office/documents/own.ts'
import { createUpload } from '../../../stores/office/upload.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { UploadField } from '../parts/UploadField.tsx'
import { FileLink } from './FileLink.tsx'
import { FileNote } from './FileNote.tsx'

interface Props {
  own: Own
  need: string | undefined
  /** Why the document was returned, if the reason concerns the file. */
  reason: string | undefined
}

/** The upload of the PDF, or of a new version with a note on what changed. */
export function FileChoice({ own, need, reason }: Props) {
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
          <a className="button" href={`${pathIn(locale, '/office/sample')}?id=${document.id}`}>
            {texts.file.sample}
          </a>
        </div>
      )}
      {fileType && <FileNote own={own} form={note} />}
      <UploadField
        upload={upload}
        label={fileType ? texts.file.other : texts.file.first}
        hint={hint}
      />
      {need && <p className="field__hint">{need}</p>}
    </section>
  )
}
