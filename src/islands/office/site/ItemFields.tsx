import { useRef, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { DEFAULT_LOCALE, LANGUAGE_NAMES, LOCALES, type Locale } from '../../../i18n/locales.ts'
import { isBlank } from '../../../rules/pasted-text.ts'
import { type ItemKind, itemFieldsOf } from '../../../rules/site-pages.ts'
import { nextItemId, orderOf, type PageValues } from '../../../stores/office/site/pages.ts'
import { useTexts } from '../../parts/island.tsx'
import type { FieldOf } from './field-of.ts'
import { Row } from './Row.tsx'

interface Props {
  kind: ItemKind
  language: Locale
  values: PageValues
  initial: PageValues
  label: (field: string) => string
  fieldOf: FieldOf
  /** Called after a change other than typing, such as a move. */
  onChange: () => void
  /** The fields with mistakes, whose items are opened. */
  mistakenFields: readonly string[]
}

/** The questions or people of a page in three languages, with buttons to add, remove and move. */
export function ItemFields(props: Props) {
  const { kind, language, values, initial, label, fieldOf, onChange, mistakenFields } = props
  const [opened, setOpened] = useState<readonly number[]>([])
  const texts = useTexts('office-site:editor')
  const field = useRef<HTMLInputElement>(null)
  const order = orderOf(values)
  const next = nextItemId(values, initial)
  const reorder = (ids: readonly number[]) => {
    if (field.current) field.current.value = ids.join(',')
    onChange()
  }
  const move = (at: number, by: number) => {
    const ids = [...order]
    const [id] = ids.splice(at, 1)
    if (id !== undefined) ids.splice(at + by, 0, id)
    reorder(ids)
  }
  return (
    <>
      <input type="hidden" ref={field} name="order" defaultValue={initial.order} />
      {order.map((id, at) => (
        <details
          key={id}
          className="site-fold"
          open={
            opened.includes(id) || mistakenFields.some((field) => field.startsWith(`items.${id}.`))
          }
          onToggle={({ currentTarget }) => {
            if (currentTarget.open && !opened.includes(id)) setOpened([...opened, id])
          }}
        >
          <summary>
            <span className="soft small">{fillText(texts.item[kind], { number: at + 1 })}</span>
            <bdi className="site-fold__title">{titleOf(values, id, language)}</bdi>
            {lacking(values, kind, id).map((each) => (
              <span key={each} className="site-page__lacks small">
                {fillText(texts.lacks, { language: LANGUAGE_NAMES[each] })}
              </span>
            ))}
          </summary>
          {itemFieldsOf(kind).map((each) => (
            <Row
              key={each}
              language={language}
              values={values}
              label={label}
              pathOf={(locale) => `items.${id}.${locale}.${each}`}
              fieldOf={fieldOf}
              isArea={each === 'text'}
            />
          ))}
          <div className="site-page__tools">
            <button
              type="button"
              className="button button--plain"
              disabled={at === 0}
              onClick={() => move(at, -1)}
            >
              {texts.up}
            </button>
            <button
              type="button"
              className="button button--plain"
              disabled={at === order.length - 1}
              onClick={() => move(at, 1)}
            >
              {texts.down}
            </button>
            <button
              type="button"
              className="button button--plain"
              onClick={() => reorder(order.filter((each) => each !== id))}
            >
              {texts.remove}
            </button>
          </div>
        </details>
      ))}
      {next === null ? (
        <p className="soft">{texts.addLater}</p>
      ) : (
        <button
          type="button"
          className="button"
          onClick={() => {
            setOpened([...opened, next])
            reorder([...order, next])
          }}
        >
          {texts.add[kind]}
        </button>
      )}
    </>
  )
}

/** The title of an item (a question or a name) in this language, or in Arabic. */
function titleOf(values: PageValues, id: number, language: Locale): string {
  const titleIn = (locale: Locale) => (values[`items.${id}.${locale}.title`] ?? '').trim()
  return titleIn(language) || titleIn(DEFAULT_LOCALE)
}

/** The languages in which an item is incomplete, so that readers get the Arabic one. */
function lacking(values: PageValues, kind: ItemKind, id: number): Locale[] {
  return LOCALES.filter((locale) =>
    itemFieldsOf(kind).some((field) => isBlank(values[`items.${id}.${locale}.${field}`] ?? '')),
  )
}
