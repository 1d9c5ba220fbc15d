import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { AlikeDraft } from '../../../contract/office-documents.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { labelled, listed } from '../../../i18n/listed.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { ChooseFile, isUnderWay, UploadProgress } from '../../../islands/parts/Upload.tsx'
import { StateMark } from '../../kit/tables/cells.tsx'
import { useProblemText } from '../../kit/use-action.tsx'
import { useSentences } from '../documents/sentences.ts'
import { fieldNamed, needsOf, type TextField } from '../documents/text.ts'
import { $alike, isComplete, mistakesOf, type Row, valuesIn } from './many.ts'

/** How far a row is: its file on the way, what is wrong or missing, or that it can be sent. */
export function Standing({ row }: { row: Row }) {
  const { upload, problem, document } = row
  const locale = useLocale()
  const texts = useTexts('office-many:row')
  const uploadTexts = useTexts('office:upload')
  const fields = useTexts('office-documents:fields')
  const problemText = useProblemText()
  const sentence = useSentences()
  const state = useStore(upload.$state)
  const alike = useStore($alike).get(document.id) ?? []
  useEffect(() => upload.open(), [upload])
  const mistakes = Object.entries(mistakesOf(row)) as [TextField, string][]
  const missing = Object.keys(needsOf(valuesIn(row), document.fileType !== null))
  const isWaiting = isUnderWay(state)
  const names = missing
    .filter((field) => field !== 'file' || !isWaiting)
    .map((field) => fields[field as keyof typeof fields])
  return (
    <div className="many__standing stack gap-1 small">
      {isWaiting && <UploadProgress upload={upload} state={state} texts={uploadTexts} />}
      {problem && <p className="field__error">{problemText(problem)}</p>}
      {state.phase === 'failed' && <p className="field__error">{problemText(state.problem)}</p>}
      {state.phase === 'done' && state.missingFonts.length > 0 && (
        <p>
          {fillText(uploadTexts.missingFonts, { fonts: isolate(state.missingFonts.join(', ')) })}
        </p>
      )}
      {state.phase === 'done' && state.isSigned && <p>{uploadTexts.signed}</p>}
      {alike.map((other) => (
        <AlikeTo key={other.id} other={other} />
      ))}
      {mistakes.map(([field, reason]) => (
        <p key={field} className="field__error">
          {labelled(locale, fields[fieldNamed(field)], sentence(field, reason))}
        </p>
      ))}
      {names.length > 0 && <p>{labelled(locale, texts.missing, listed(locale, names))}</p>}
      {isComplete(row) && <StateMark kind="good" text={texts.complete} />}
      {document.fileType === null && !isWaiting && (
        <ChooseFile
          accept="application/pdf,.pdf"
          onChoose={([file]) => file && upload.choose(file)}
        >
          {texts.chooseFile}
        </ChooseFile>
      )}
    </div>
  )
}

/** A document that the file of a row is like, or the same as. */
function AlikeTo({ other }: { other: AlikeDraft['alike'][number] }) {
  const { id, title, teacher, percent } = other
  const locale = useLocale()
  const texts = useTexts('office-many:row')
  const kind = percent === 100 ? ('same' as const) : ('alike' as const)
  const text = texts[teacher === null ? (`${kind}Own` as const) : kind]
  const values = {
    title: isolate(title || texts.untitled),
    teacher: isolate(teacher ?? ''),
    percent,
  }
  return (
    <p className="many__alike">
      <a
        href={pathIn(
          locale,
          teacher === null ? `/office/document?id=${id}` : `/shop-details/${id}`,
        )}
      >
        {fillText(text, values)}
      </a>
    </p>
  )
}
