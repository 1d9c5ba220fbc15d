import './documents.css'
import { detailTexts } from '../../i18n/details.ts'
import { labelled } from '../../i18n/listed.ts'
import { useLocale, useTexts } from '../../islands/parts/island.tsx'
import type { Details } from '../../rules/document-fields.ts'
import { useKindTexts } from './kinds.ts'

/** Facts that a title states, one a line. */
export function StatedFacts({ facts }: { facts: Details | null }) {
  const locale = useLocale()
  const fields = useTexts('office-documents:fields')
  const details = useKindTexts(useTexts('office-documents:details'))
  return detailTexts(locale, details, facts ?? {}).map(([name, text]) => (
    <span key={name} className="stated-fact">
      {labelled(locale, fields[name], text)}
    </span>
  ))
}
