import type { DocumentText } from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import type { Reason } from '../../../contract/values.ts'
import {
  DOCUMENT_DESCRIPTION_MAX_LENGTH,
  type DocumentField,
  documentProblems,
  TITLE_MAX_LENGTH,
} from '../../../rules/document-life.ts'
import { dinars, formatAmount, type Millimes } from '../../../rules/money.ts'
import { isBlank } from '../../../rules/pasted-text.ts'
import { AUDIENCES } from '../../../rules/price-bands.ts'
import { amountProblem, parseDinars } from '../../../rules/typed-numbers.ts'
import type { Mistakes, Values } from '../../shared/form.ts'

/** The fields of the form, in their order on the page. */
export const TEXT_FIELDS = [
  'title',
  'description',
  'matiereId',
  'niveauId',
  'categoryId',
  'type',
  'price',
  'priceDiscount',
] as const
export type TextField = (typeof TEXT_FIELDS)[number]
export type TextValues = Values<TextField>

/** The form field of each document field; the form does not contain the file and the cover. */
export const FORM_NAMES: Readonly<Partial<Record<DocumentField, TextField>>> = {
  title: 'title',
  description: 'description',
  matiere: 'matiereId',
  classe: 'niveauId',
  categorie: 'categoryId',
  type: 'type',
  price: 'price',
  priceDiscount: 'priceDiscount',
}

/** The values of the form for a document; `decimal` is the decimal separator of the language. */
export function valuesOf(document: OwnDocument, decimal: '.' | ','): TextValues {
  const { title, description, matiere, classe, categorie, type, price, priceDiscount } = document
  const amount = (millimes: Millimes | null) =>
    millimes === null ? '' : formatAmount(millimes, decimal)
  const idOf = (named: { id: number } | null) => (named ? String(named.id) : '')
  return {
    title,
    description,
    matiereId: idOf(matiere),
    niveauId: idOf(classe),
    categoryId: idOf(categorie),
    type: type ?? '',
    price: amount(price),
    priceDiscount: amount(priceDiscount),
  }
}

/** Parses a typed price in dinars into millimes; null if it is empty or invalid. */
export function amountIn(text: string): Millimes | null {
  const amount = parseDinars(text)
  return amount === null ? null : dinars(amount)
}

/** The values of the form as the server expects them. */
export function textOf(values: TextValues): DocumentText {
  const idIn = (text: string) => (text === '' ? null : Number(text))
  return {
    title: values.title.trim(),
    description: values.description.trim(),
    price: amountIn(values.price),
    priceDiscount: amountIn(values.priceDiscount),
    matiereId: idIn(values.matiereId),
    niveauId: idIn(values.niveauId),
    categoryId: idIn(values.categoryId),
    type: AUDIENCES.find((audience) => audience === values.type) ?? null,
  }
}

/** The mistakes that prevent saving even a draft. */
export function mistakesIn(values: TextValues): Mistakes<TextField, Reason> {
  const isTooLong = (text: string, most: number) => [...text.trim()].length > most
  const problemOf = (text: string) =>
    isBlank(text) || parseDinars(text) !== null ? null : amountProblem(text)
  const [price, priceDiscount] = [problemOf(values.price), problemOf(values.priceDiscount)]
  return {
    ...(isTooLong(values.title, TITLE_MAX_LENGTH) && { title: 'maxLength' }),
    ...(isTooLong(values.description, DOCUMENT_DESCRIPTION_MAX_LENGTH) && {
      description: 'maxLength',
    }),
    ...(price && { price }),
    ...(priceDiscount && { priceDiscount }),
  }
}

/** The missing values that prevent the sale of the document, by field. */
export function needsOf(
  values: TextValues,
  hasFile: boolean,
): Readonly<Partial<Record<DocumentField, Reason>>> {
  const { type, ...text } = textOf(values)
  const problems = documentProblems({ ...text, audience: type, hasFile })
  return Object.fromEntries(problems.map(({ field, reason }) => [field, reason]))
}

/** Whether two values of a field are saved alike, however a price is written. */
export function isSameValue(field: TextField, one: string, other: string): boolean {
  const isPrice = field === 'price' || field === 'priceDiscount'
  return isPrice ? amountIn(one) === amountIn(other) : one.trim() === other.trim()
}
