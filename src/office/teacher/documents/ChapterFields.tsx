import { useEffect, useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import type { Named } from '../../../contract/references.ts'
import { fillText } from '../../../i18n/format.ts'
import { useTexts } from '../../../islands/parts/island.tsx'
import { DOCUMENT_CHAPTERS_MAX } from '../../../rules/document-fields.ts'
import { joined, parted } from '../../../stores/shared/form.ts'
import { logOnly } from '../../../stores/shared/problem.ts'
import { useNames } from '../../documents/names.ts'
import { Choices } from '../../kit/forms/Choices.tsx'
import { chapterNamed, readChapters } from './own.ts'
import type { TextValues } from './text.ts'

interface Props {
  document: OwnDocument
  values: TextValues
  error: string | undefined
  onChoose: (chapterIds: string) => void
}

/**
 * The chapters of the chosen class and subject, and those of the document that are hidden now. The
 * chosen ones that are none of these are taken out, with a word.
 */
export function ChapterFields({ document, values, error, onChoose }: Props) {
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const names = useNames()
  const { niveauId, matiereId, chapterIds } = values
  const place = `${niveauId} ${matiereId}`
  const [read, setRead] = useState<{ place: string; offered: readonly Named[] } | null>(null)
  const [dropped, setDropped] = useState('')
  const isOwn = place === `${document.classe?.id ?? ''} ${document.matiere?.id ?? ''}`
  const offered = read?.place === place ? read.offered : null
  const own = isOwn ? document.chapters : []
  const options = [
    ...(offered ?? []),
    ...own.filter(({ id }) => !offered?.some((each) => each.id === id)),
  ]
  const chosen = parted(chapterIds)
  const fitting = chosen.filter((id) => options.some((each) => String(each.id) === id))

  useEffect(() => {
    let isNewest = true
    const show = (list: readonly Named[]) => isNewest && setRead({ place, offered: list })
    readChapters(niveauId, matiereId).then(show, logOnly('chapters'))
    return () => {
      isNewest = false
    }
  }, [niveauId, matiereId, place])
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the chapters of another place are there
  useEffect(() => {
    if (!offered || fitting.length === chosen.length) return
    const gone = chosen.filter((id) => !fitting.includes(id))
    const found = gone.flatMap((id) => chapterNamed(Number(id), document) ?? [])
    setDropped(fillText(texts.chaptersDropped, { names: found.map(names.chapter).join(' · ') }))
    onChoose(joined(fitting))
  }, [offered])

  return (
    <>
      <p role="status" className={dropped ? 'alert' : 'visually-hidden'}>
        {dropped}
      </p>
      {options.length > 0 && (
        <Choices
          name="chapterIds"
          error={error}
          legend={fields.chapters}
          hint={fillText(texts.chaptersHint, { most: DOCUMENT_CHAPTERS_MAX })}
          most={DOCUMENT_CHAPTERS_MAX}
          value={chapterIds}
          options={options.map((each) => ({ value: String(each.id), text: names.chapter(each) }))}
          onChoose={onChoose}
        />
      )}
    </>
  )
}
