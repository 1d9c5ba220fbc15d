import type { DocumentText } from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import type { Reason } from '../../../contract/values.ts'
import {
  DETAILS,
  type Detail,
  type Details,
  type DocumentField,
  documentProblems,
  isAllowed,
  readDetail,
  ruleOf,
  WRITTEN_FIELDS,
  type WrittenAs,
  type WrittenField,
  writtenAs,
} from '../../../rules/document-fields.ts'
import { dinars, formatAmount, type Millimes } from '../../../rules/money.ts'
import { yearText } from '../../../rules/papers.ts'
import { isBlank } from '../../../rules/pasted-text.ts'
import { AUDIENCES } from '../../../rules/price-bands.ts'
import { isBehindFile } from '../../../rules/reading.ts'
import { amountProblem, parseDinars } from '../../../rules/typed-numbers.ts'
import { joined, type Mistakes, parted, type Values } from '../../../stores/shared/form.ts'

/** A field of the form, by the name that the calls give it. */
export type TextField = WrittenAs<WrittenField>
export type TextValues = Values<TextField>

/** The fields in their order on the page. */
export const TEXT_FIELDS: readonly TextField[] = WRITTEN_FIELDS.map(writtenAs)

export function fieldNamed(name: TextField): WrittenField {
  return WRITTEN_FIELDS.find((field) => writtenAs(field) === name) ?? 'title'
}

/** The form's field of a document's field; undefined for the file and the cover. */
export function formName(field: DocumentField): TextField | undefined {
  const written = WRITTEN_FIELDS.find((each) => each === field)
  return written && writtenAs(written)
}

/** The values of the form for a document; `decimal` is the decimal separator of the language. */
export function valuesOf(document: OwnDocument, decimal: '.' | ','): TextValues {
  const { title, description, matiere, classe, categorie, type, chapters, price, priceDiscount } =
    document
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
    chapterIds: joined(chapters.map(({ id }) => id)),
    price: amount(price),
    priceDiscount: amount(priceDiscount),
    ...typedDetails(document),
  }
}

/** The details as they are typed, '' for those that are missing. */
export function typedDetails(document: Readonly<Details>): Record<Detail, string> {
  return eachDetail((name) => {
    const value = document[name] ?? ''
    const isYear = ruleOf(name).kind === 'year' && value !== ''
    return isYear ? yearText(Number(value), document.paperKind) : String(value)
  })
}

const eachDetail = <T>(read: (name: Detail) => T) =>
  Object.fromEntries(DETAILS.map((name) => [name, read(name)])) as Record<Detail, T>

/** Parses a typed price in dinars into millimes; null if it is empty or invalid. */
export function amountIn(text: string): Millimes | null {
  const amount = parseDinars(text)
  return amount === null ? null : dinars(amount)
}

export function documentText(values: TextValues) {
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
    chapterIds: parted(values.chapterIds).map(Number),
    ...(eachDetail((name) => readDetail(name, values[name]) ?? null) as Details),
  } satisfies DocumentText
}

/** The values that cannot be saved; `pageCount` is that of the file, where it is known. */
export function mistakesIn(
  values: TextValues,
  pageCount: number | null,
): Mistakes<TextField, Reason> {
  const mistakeIn = (field: WrittenField): Reason | null => {
    const text = values[writtenAs(field)]
    const rule = ruleOf(field)
    if (isBlank(text)) return null
    if (rule.kind === 'amount') return parseDinars(text) === null ? amountProblem(text) : null
    if (rule.kind === 'text') return isAllowed(rule, text.trim()) ? null : 'maxLength'
    const detail = DETAILS.find((name) => name === field)
    const value = detail && readDetail(detail, text)
    if (detail && value === undefined) return 'invalid'
    return field === 'correctionPage' && isBehindFile(Number(value), pageCount) ? 'max' : null
  }
  return Object.fromEntries(
    WRITTEN_FIELDS.flatMap((field) => {
      const mistake = mistakeIn(field)
      return mistake ? [[writtenAs(field), mistake]] : []
    }),
  )
}

/** The missing values that prevent the sale of the document, by field. */
export function needsOf(
  values: TextValues,
  hasFile: boolean,
): Readonly<Partial<Record<DocumentField, Reason>>> {
  const { type: audience, ...text } = documentText(values)
  const problems = documentProblems({ ...text, audience, fileId: hasFile ? 1 : null })
  return Object.fromEntries(problems.map(({ field, reason }) => [field, reason]))
}

/** Whether two values of a field are saved alike, however a price or a number is written. */
export function isSameValue(field: TextField, one: string, other: string): boolean {
  const detail = DETAILS.find((name) => name === field)
  if (detail) return readDetail(detail, one) === readDetail(detail, other)
  const isPrice = field === 'price' || field === 'priceDiscount'
  return isPrice ? amountIn(one) === amountIn(other) : one.trim() === other.trim()
}
