import { Fragment, type ReactNode } from 'react'
import { fillText, priceText } from '../../../i18n/format.ts'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { finalPrice } from '../../../rules/discount.ts'
import { DETAILS, type Detail, fitsCategory, ruleOf } from '../../../rules/document-fields.ts'
import { AUDIENCES } from '../../../rules/price-bands.ts'
import { teacherShare } from '../../../rules/shares.ts'
import { useNames } from '../../documents/names.ts'
import { SelectField, TextField } from '../../kit/forms/fields.tsx'
import { useDetailOptions } from './detail-options.ts'
import { type EntryField, useEntryOptions } from './entry-options.ts'
import { categoryOf, type References } from './own.ts'
import { amountIn, type TextField as FieldName, type TextValues } from './text.ts'

const NUMERIC = { inputMode: 'numeric', dir: 'ltr' } as const

interface TextFieldsProps {
  fieldOf: FieldOf
  values: TextValues
  references: References
}

export function TextFields({ fieldOf, values, references }: TextFieldsProps) {
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const names = useNames()
  const optionsOf = useEntryOptions(references)
  const choose = { value: '', text: texts.choose }
  const offered = (field: EntryField) => [
    choose,
    ...optionsOf(field, values, fieldOf(field).defaultValue),
  ]
  return (
    <section className="stack">
      <h2>{texts.about}</h2>
      <Field label={fields.title} dir="auto" autoComplete="off" {...fieldOf('title')} />
      <TextField label={fields.description} {...fieldOf('description')} />
      <div className="tiles">
        <SelectField label={fields.classe} options={offered('niveauId')} {...fieldOf('niveauId')} />
        <SelectField
          label={fields.matiere}
          options={offered('matiereId')}
          {...fieldOf('matiereId')}
        />
        <SelectField
          label={fields.categorie}
          options={offered('categoryId')}
          {...fieldOf('categoryId')}
        />
        <SelectField
          label={fields.type}
          options={[choose, ...AUDIENCES.map((value) => ({ value, text: names.audience(value) }))]}
          {...fieldOf('type')}
        />
      </div>
    </section>
  )
}

/** The optional facts that documents of the chosen category may have, and those that it has. */
export function DetailFields({
  fieldOf,
  values,
  references,
  paper,
}: TextFieldsProps & { paper: ReactNode }) {
  const { facts, unstated } = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const hints: Readonly<Record<string, string>> = useTexts('office-documents:hints')
  const optionsOf = useDetailOptions()
  const category = categoryOf(references, values)
  return (
    <section className="stack">
      <h2>{facts}</h2>
      <div className="tiles">
        {DETAILS.map((name) => {
          const { kind } = ruleOf(name)
          const own = values[name]
          if (own === '' && (!fitsCategory(name, category) || isExcluded(name, values))) {
            // It takes what is filled in from elsewhere; then it is shown.
            return <input key={name} type="hidden" name={name} defaultValue="" />
          }
          if (kind === 'paper') return <Fragment key={`${name}-shown`}>{paper}</Fragment>
          const shared = {
            label: fields[name],
            hint: hints[name],
            ...fieldOf(name),
            defaultValue: own,
          }
          if (kind !== 'option') {
            const typed = kind === 'text' ? { dir: 'auto' } : NUMERIC
            return <Field key={`${name}-shown`} autoComplete="off" {...typed} {...shared} />
          }
          return (
            <SelectField
              key={`${name}-shown`}
              options={[{ value: '', text: unstated }, ...optionsOf(name, category, own)]}
              {...shared}
            />
          )
        })}
      </div>
    </section>
  )
}

/** A correction that is sold apart is not inside another file as well. */
const isExcluded = (name: Detail, { correctionOf, correctionPage }: TextValues) =>
  (name === 'correctionPage' && correctionOf !== '') ||
  (name === 'correctionOf' && correctionPage !== '')

interface Props {
  fieldOf: FieldOf
  values: TextValues
  sharePercent: number | null
}

export function PriceFields({ fieldOf, values, sharePercent }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-documents:form')
  const fields = useTexts('office-documents:fields')
  const price = amountIn(values.price)
  const pricePaid =
    price === null ? null : finalPrice({ price, priceDiscount: amountIn(values.priceDiscount) })

  const earningsText = () => {
    if (pricePaid === null || sharePercent === null) return texts.earns.unknown
    if (pricePaid === 0) return texts.earns.free
    const amount = teacherShare(pricePaid, sharePercent)
    return fillText(texts.earns.each, {
      amount: priceText(locale, amount),
      price: priceText(locale, pricePaid),
      percent: sharePercent,
    })
  }
  const amount = { inputMode: 'decimal', dir: 'ltr', autoComplete: 'off' } as const
  return (
    <section className="stack">
      <h2>{fields.price}</h2>
      <div className="tiles">
        <Field label={texts.priceLabel} {...amount} {...fieldOf('price')} />
        <Field label={texts.discountLabel} {...amount} {...fieldOf('priceDiscount')} />
      </div>
      <p className="editor__earned" role="status">
        {earningsText()}
      </p>
    </section>
  )
}

export type FieldOf = (field: FieldName) => {
  name: FieldName
  defaultValue: string
  error: string | undefined
  hint?: string
}
