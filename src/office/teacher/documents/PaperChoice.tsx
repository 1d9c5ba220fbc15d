import { useRef, useState } from 'react'
import type { OfferedPaper } from '../../../contract/office-corrections.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import { SHARED_FACTS } from '../../../rules/corrections.ts'
import type { Own } from './own.ts'
import { type TextField, type TextValues, typedDetails } from './text.ts'

interface Props {
  own: Own
  values: TextValues
  error: string | undefined
  /** Writes into fields of the form. */
  onTake: (taken: readonly (readonly [TextField, string])[]) => void
}

/** The paper of which the document is the correction, found by its title. */
export function PaperChoice({ own, values, error, onTake }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-documents:form').paper
  const { correctionOf: label } = useTexts('office-documents:fields')
  const [known, setKnown] = useState(own.paper)
  const [isOpen, setOpen] = useState(false)
  const value = values.correctionOf
  const chosen = String(known?.id) === value ? known : null
  const whose = useWhose()
  const opener = useRef<HTMLDivElement>(null)
  const focusOpener = () =>
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus())

  const choose = (paper: OfferedPaper) => {
    setKnown(paper)
    setOpen(false)
    onTake([['correctionOf', String(paper.id)], ...sharedFacts(paper, values)])
    focusOpener()
  }
  return (
    <fieldset className="editor__paper stack gap-2">
      <legend>{label}</legend>
      {error && <p className="field__error">{error}</p>}
      <div ref={opener} className="cluster">
        {value === '' ? (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.close : texts.choose}
          </Button>
        ) : (
          <>
            <a
              className="touch along"
              href={
                chosen?.isOwn
                  ? `${pathIn(locale, '/office/document')}?id=${value}`
                  : pathIn(locale, `/shop-details/${Number(value)}`)
              }
            >
              <bdi>{chosen?.title || value}</bdi>
            </a>
            {chosen && <span className="soft">{whose(chosen)}</span>}
            <Button
              kind="plain"
              onClick={() => {
                onTake([['correctionOf', '']])
                focusOpener()
              }}
            >
              {texts.remove}
            </Button>
          </>
        )}
      </div>
      {isOpen && value === '' && (
        <Later
          load={loadPapers}
          give={{ id: own.document.id, values, whose, onChoose: choose }}
          loading={{ text: texts.loading, shapes: ['line', 'line'] }}
          failed={texts.failed}
        />
      )}
      {chosen && !chosen.isOwn && <p className="soft small">{texts.told}</p>}
    </fieldset>
  )
}

const loadPapers = async () => (await import('./Papers.tsx')).Papers

function useWhose() {
  const { own, by } = useTexts('office-documents:form').paper
  return ({ isOwn, teacher }: OfferedPaper) =>
    isOwn ? own : fillText(by, { teacher: isolate(teacher) })
}

function sharedFacts(paper: OfferedPaper, values: TextValues) {
  const idOf = (id: number | null) => (id === null ? '' : String(id))
  const details = typedDetails(paper)
  const facts = [
    ['niveauId', idOf(paper.niveauId)],
    ['matiereId', idOf(paper.matiereId)],
    ['categoryId', idOf(paper.categoryId)],
    ...SHARED_FACTS.map((name) => [name, details[name]] as const),
  ] as const
  return facts.filter(([name, fact]) => values[name] === '' && fact !== '')
}
