import type { ReactNode } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { fillText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import {
  type Detail,
  type DocumentField,
  FIELD_NAMES,
  givenDetails,
} from '../../../rules/document-fields.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Price, PriceOrFree } from '../../parts/Price.tsx'
import { useNames } from '../documents/names.ts'
import type { Subject } from './subject.ts'

interface Props {
  document: OwnDocument
  /** Opens the reason form for a field; undefined if no decision is pending. */
  onNote?: (field: DocumentField) => void
  /** Renders the reason form if it is open for this field. */
  form: (subject: Subject) => ReactNode
}

/** The fields of the document, each with a button to return the document because of it. */
export function Facts({ document, onNote, form }: Props) {
  const texts = useTexts('office-review:page')
  const fields = useTexts('office-documents:fields')
  const values = useValues(document)
  return (
    <section className="stack">
      <h3>{texts.says}</h3>
      <dl className="review__facts">
        {FIELD_NAMES.map((field) => (
          <div key={field}>
            <dt>{fields[field]}</dt>
            <dd>{values[field] ?? <span className="soft">{texts.nothing}</span>}</dd>
            {onNote && (
              <dd className="review__note">
                <button
                  type="button"
                  className="button button--plain"
                  aria-label={fillText(texts.noteFor, { field: fields[field] })}
                  onClick={() => onNote(field)}
                >
                  {texts.note}
                </button>
              </dd>
            )}
            {form(field) && <dd className="review__form">{form(field)}</dd>}
          </div>
        ))}
      </dl>
    </section>
  )
}

function useValues(document: OwnDocument): Readonly<Record<DocumentField, ReactNode>> {
  const locale = useLocale()
  const texts = useTexts('office-review:page')
  const preview = useTexts('office-documents:preview')
  const { free } = useTexts('common:price')
  const names = useNames()
  const { title, description, price, priceDiscount, matiere, classe, categorie, type } = document
  const textOrNothing = (text: string) =>
    text && (
      <span className="review__written" dir="auto">
        {text}
      </span>
    )
  return {
    title: textOrNothing(title) || null,
    description: textOrNothing(description) || null,
    price: price === null ? null : <PriceOrFree amount={price} free={free} />,
    priceDiscount: priceDiscount === null ? null : <Price amount={priceDiscount} />,
    matiere: matiere && names.matiere(matiere),
    classe: classe && names.schoolClass(classe),
    categorie: categorie && names.category(categorie),
    type: type && names.audience(type),
    ...(Object.fromEntries(
      givenDetails(document).map(([name, value]) => [name, names.detail(name, value)]),
    ) as Record<Detail, string | undefined>),
    file: document.pageCount === null ? null : labelled(locale, preview.pages, document.pageCount),
    cover: document.coverPath ? texts.picture : texts.drawn,
  }
}
