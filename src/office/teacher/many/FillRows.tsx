import { type FormEvent, useState } from 'react'
import { fillText, limitText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import {
  DOCUMENT_PRICE_MAX,
  DOCUMENT_PRICE_MIN,
  priceProblem,
} from '../../../rules/document-fields.ts'
import { priceByPages } from '../../../rules/many-files.ts'
import { formatAmount, type Millimes } from '../../../rules/money.ts'
import { SelectField } from '../../kit/forms/fields.tsx'
import type { References } from '../documents/own.ts'
import { amountIn, fieldNamed, TEXT_FIELDS, type TextValues } from '../documents/text.ts'
import { useCellOptions } from './Cell.tsx'
import { type Row, saveRows, write } from './many.ts'

/** The fields that many rows often share. */
const SHARED = ['niveauId', 'matiereId', 'categoryId', 'type', 'trimester'] as const

const RULES = ['each', 'pages'] as const

const EMPTY = Object.fromEntries(TEXT_FIELDS.map((field) => [field, ''])) as TextValues

/** Writes the same values into all picked rows, and a price by a rule. */
export function FillRows({ rows, references }: { rows: readonly Row[]; references: References }) {
  const locale = useLocale()
  const texts = useTexts('office-many:fill')
  const fields = useTexts('office-documents:fields')
  const { choose } = useTexts('office-many:row')
  const optionsOf = useCellOptions(references)
  const [values, setValues] = useState(EMPTY)
  const [rule, setRule] = useState<(typeof RULES)[number]>('each')
  const [mistake, setMistake] = useState('')

  const fill = (event: FormEvent) => {
    event.preventDefault()
    const amount = amountIn(values.price)
    const prices = new Map(rows.map((row) => [row.document.id, priceOf(row, rule, amount)]))
    const isWrong = [...prices.values()].some((price) => price !== null && priceProblem(price))
    if (values.price.trim() !== '' && (amount === null || isWrong)) {
      return setMistake(
        fillText(texts.priceRange, {
          min: limitText(locale, DOCUMENT_PRICE_MIN),
          max: limitText(locale, DOCUMENT_PRICE_MAX),
        }),
      )
    }
    setMistake('')
    const chosen = Object.fromEntries(
      SHARED.flatMap((field) => (values[field] === '' ? [] : [[field, values[field]]])),
    )
    const cells = rows.map(({ document: { id } }) => {
      const price = prices.get(id) ?? null
      return [
        id,
        { ...chosen, ...(price !== null && { price: formatAmount(price, '.') }) },
      ] as const
    })
    write(new Map(cells))
    void saveRows(cells.map(([id]) => id))
    setValues(EMPTY)
  }
  return (
    <form className="stack" onSubmit={fill} noValidate>
      <h2>{texts.title}</h2>
      <div className="tiles">
        {SHARED.map((field) => (
          <SelectField
            key={field}
            name={field}
            label={fields[fieldNamed(field)]}
            options={[{ value: '', text: choose }, ...(optionsOf(field, values) ?? [])]}
            value={values[field]}
            onChange={({ target: { value } }) => setValues((now) => ({ ...now, [field]: value }))}
          />
        ))}
        <SelectField
          name="rule"
          label={texts.rule}
          options={RULES.map((value) => ({ value, text: texts.rules[value] }))}
          value={rule}
          onChange={({ target: { value } }) => setRule(value as typeof rule)}
        />
        <Field
          name="price"
          label={texts.amount}
          inputMode="decimal"
          dir="ltr"
          autoComplete="off"
          error={mistake || undefined}
          value={values.price}
          onChange={({ target: { value } }) => setValues((now) => ({ ...now, price: value }))}
        />
      </div>
      <div className="cluster">
        <Button type="submit" disabled={rows.length === 0}>
          {texts.fill}
        </Button>
      </div>
    </form>
  )
}

/** The price of a row by a rule; null without an amount, or where its pages are not known yet. */
function priceOf(
  { document: { pageCount } }: Row,
  rule: (typeof RULES)[number],
  amount: Millimes | null,
): Millimes | null {
  if (amount === null || rule === 'each') return amount
  return pageCount === null ? null : priceByPages(amount, pageCount)
}
