import { fillText, limitText } from '../../../i18n/format.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import {
  DOCUMENT_FIELDS,
  DOCUMENT_PRICE_MAX,
  DOCUMENT_PRICE_MIN,
  type DocumentField,
  ruleOf,
} from '../../../rules/document-fields.ts'
import { fieldNamed, type TextField } from './text.ts'

/** Returns a function that says what is wrong in a field, or missing. */
export function useSentences(): (field: TextField | DocumentField, reason: string) => string {
  const locale = useLocale()
  const needs = useTexts('office-documents:needs')
  const limits = {
    min: limitText(locale, DOCUMENT_PRICE_MIN),
    max: limitText(locale, DOCUMENT_PRICE_MAX),
  }
  return (name, reason) => {
    const field = name in DOCUMENT_FIELDS ? (name as DocumentField) : fieldNamed(name as TextField)
    const rule = ruleOf(field)
    if (field === 'correctionPage' && reason === 'max') return needs.noSuchPage
    if (rule.kind === 'number')
      return fillText(needs.number, { least: rule.least, most: rule.most })
    if (rule.kind === 'paper') return needs.noPaper
    if (rule.kind === 'year') return fillText(needs.year, { least: rule.least, most: rule.most })
    if (rule.kind === 'text' && reason === 'maxLength') {
      return fillText(needs.tooLong, { most: rule.most })
    }
    if (reason === 'pattern') return needs.noAmount
    if (reason === 'thirdDecimal') return needs.thirdDecimal
    if (field === 'price' && reason !== 'required') return fillText(needs.priceRange, limits)
    if (field === 'priceDiscount') {
      return fillText(reason === 'min' ? needs.discountMin : needs.discountMax, limits)
    }
    return needs.required[field as keyof typeof needs.required] ?? needs.invalid
  }
}
