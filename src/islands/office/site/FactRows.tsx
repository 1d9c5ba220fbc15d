import { useRef, useState } from 'react'
import { isLocale } from '../../../i18n/locales.ts'
import type { FactGroup } from '../../../rules/site-facts.ts'
import { FACT_ROWS, type FactValues, isRowEmpty } from '../../../stores/office/site/facts.ts'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { AccentField, LogoField } from './BrandFields.tsx'
import type { FieldOf } from './field-of.ts'

interface Props {
  group: FactGroup
  values: FactValues
  label: (field: string) => string
  fieldOf: FieldOf
  setValue: (field: string, value: string) => void
}

/** The fields of a group; lists show their filled rows and a button that adds a row. */
export function FactRows({ group, values, label, fieldOf, setValue }: Props) {
  const texts = useTexts('office-site:add')
  const rows = FACT_ROWS[group]
  const [added, setAdded] = useState<readonly string[]>([])
  // A row stays visible while the user clears its fields.
  const filledRows = useRef(new Set<string>())
  for (const { name, fields } of rows) if (!isRowEmpty(fields, values)) filledRows.current.add(name)
  const isShown = (name: string) => filledRows.current.has(name) || added.includes(name)
  const last = (list: string) => rows.findLast((row) => row.list === list)?.name
  return (
    <div className="site-facts__rows">
      {rows.map(({ name, list, fields }) => {
        const isHidden = list !== null && !name.endsWith('.0') && !isShown(name)
        const next = rows.find((row) => row.list === list && !isShown(row.name))
        const hasNext = list !== null && name === last(list) && next !== undefined
        return (
          <div key={name} className="site-facts__block" hidden={isHidden && !hasNext}>
            <div className="site-facts__fields" hidden={isHidden}>
              {fields.map((field) => {
                const props = { label: label(field), ...fieldOf(field) }
                const own = { value: values[field] ?? '', onChoose: setValue.bind(null, field) }
                if (field === 'logo') return <LogoField key={field} {...props} {...own} />
                if (field === 'accent') return <AccentField key={field} {...props} {...own} />
                return <FactField key={field} field={field} {...props} />
              })}
            </div>
            {hasNext && (
              <button
                type="button"
                className="button button--plain site-facts__add"
                onClick={() => setAdded([...added, next.name])}
              >
                {texts[list]}
              </button>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** Numbers and addresses run from left to right in every language. */
const LEFT_TO_RIGHT = /^(phones|phone|email|rib|followers|place|links\.\d\.url|credit\.url)/

function FactField({
  field,
  label,
  defaultValue,
  ...fieldProps
}: ReturnType<FieldOf> & { field: string; label: string }) {
  const fields = useTexts('office-site:factFields')
  const language = field.split('.').at(-1)
  return (
    <Field
      {...fieldProps}
      label={label}
      defaultValue={defaultValue}
      autoComplete="off"
      dir={LEFT_TO_RIGHT.test(field) ? 'ltr' : 'auto'}
      lang={isLocale(language) ? language : undefined}
      inputMode={/^(phone|rib|followers)/.test(field) ? 'tel' : 'text'}
      {...(field === 'email' && { hint: fields.emailHint })}
    />
  )
}
