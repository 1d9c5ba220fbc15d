import { fillText, limitText } from '../../../i18n/format.ts'
import {
  DOCUMENT_DESCRIPTION_MAX_LENGTH,
  DOCUMENT_PRICE_MAX,
  DOCUMENT_PRICE_MIN,
  type DocumentField,
  TITLE_MAX_LENGTH,
} from '../../../rules/document-life.ts'
import type { TextField } from '../../../stores/office/documents/text.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'

const REQUIRED: Readonly<Partial<Record<TextField | DocumentField, string>>> = {
  matiereId: 'matiere',
  niveauId: 'classe',
  categoryId: 'categorie',
}

/** Returns a function that gives the message for a broken rule, such as `required` or `max`. */
export function useSentences(): (field: TextField | DocumentField, reason: string) => string {
  const locale = useLocale()
  const { needs } = useTexts('office-documents:form')
  const limits = {
    min: limitText(locale, DOCUMENT_PRICE_MIN),
    max: limitText(locale, DOCUMENT_PRICE_MAX),
  }
  return (field, reason) => {
    if (reason === 'maxLength') {
      const most = field === 'title' ? TITLE_MAX_LENGTH : DOCUMENT_DESCRIPTION_MAX_LENGTH
      return fillText(needs.tooLong, { most })
    }
    if (reason === 'pattern') return needs.noAmount
    if (reason === 'thirdDecimal') return needs.thirdDecimal
    if (field === 'price' && reason !== 'required') return fillText(needs.priceRange, limits)
    if (field === 'priceDiscount') {
      return fillText(reason === 'min' ? needs.discountMin : needs.discountMax, limits)
    }
    const name = (REQUIRED[field] ?? field) as keyof typeof needs.required
    return needs.required[name] ?? needs.invalid
  }
}
