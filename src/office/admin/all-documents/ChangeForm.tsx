import { useStore } from '@nanostores/react'
import { type SubmitEvent, useRef, useState } from 'react'
import type { BulkChangeForm } from '../../../contract/office-bulk-changes.ts'
import { fillText, limitText, pluralText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ErrorAlert } from '../../../islands/parts/Message.tsx'
import {
  BULK_CHANGE_MAX,
  BULK_CHANGES,
  type BulkChangeKind,
  DISCOUNT_PERCENT_MAX,
  DISCOUNT_PERCENT_MIN,
  PRICE_PERCENT_MAX,
  PRICE_PERCENT_MIN,
} from '../../../rules/bulk-change.ts'
import { DOCUMENT_PRICE_MAX, DOCUMENT_PRICE_MIN } from '../../../rules/document-fields.ts'
import { plainSigns } from '../../../rules/pasted-text.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { readAmount } from '../../kit/forms/amount.ts'
import { SelectField } from '../../kit/forms/fields.tsx'
import { useAction } from '../../kit/use-action.tsx'
import {
  $picked,
  allDocumentsTable,
  type Picked,
  pickAll,
  pickNone,
  pickPage,
  previewChange,
} from './all-documents.ts'
import { useTexts } from './texts.ts'

const FIELDS = ['price', 'percent', 'from', 'until'] as const
type FieldName = (typeof FIELDS)[number]
/** A field with a mistake; `thirdDecimal` is one in the price. */
type Mistake = FieldName | 'thirdDecimal'

export function ChangeForm({ onClose }: { onClose: () => void }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  const form = useRef<HTMLFormElement>(null)
  const [kind, setKind] = useState<BulkChangeKind>('discount')
  const { isBusy, problem, alert, attempt } = useAction()
  const [mistake, setMistake] = useState<Mistake | null>(null)
  const count = usePickedCount()

  const refuse = (what: Mistake) => {
    setMistake(what)
    const name = what === 'thirdDecimal' ? 'price' : what
    form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
  }
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const change = readChange(kind, new FormData(event.currentTarget))
    setMistake(null)
    if (typeof change === 'string') return refuse(change)
    return attempt(
      () => previewChange(change),
      ({ fields }) => {
        const field = refusedIn(fields)
        if (field) refuse(field)
      },
    )
  }
  const values = {
    least: limitText(locale, DOCUMENT_PRICE_MIN),
    most: limitText(locale, DOCUMENT_PRICE_MAX),
    down: -PRICE_PERCENT_MIN,
    up: PRICE_PERCENT_MAX,
    min: DISCOUNT_PERCENT_MIN,
    max: DISCOUNT_PERCENT_MAX,
  }
  const field = (name: FieldName, sentence: string) => ({
    name,
    label: name === 'percent' && kind === 'discount' ? texts.fields.off : texts.fields[name],
    error: mistake === name ? fillText(sentence, values) : undefined,
  })
  return (
    <section className="change stack">
      <h2>{pluralText(locale, texts.title, 'title', count)}</h2>
      {count > BULK_CHANGE_MAX && (
        <ErrorAlert text={fillText(texts.tooMany, { most: BULK_CHANGE_MAX })} />
      )}
      {problem && !refusedIn(problem.fields) && alert}
      <form ref={form} className="change__form" method="post" noValidate onSubmit={send}>
        <SelectField
          name="kind"
          label={texts.what}
          value={kind}
          options={BULK_CHANGES.map((each) => ({ value: each, text: texts.kinds[each] }))}
          onChange={({ target }) => {
            setMistake(null)
            setKind(BULK_CHANGES.find((each) => each === target.value) ?? kind)
          }}
        />
        {kind === 'price' && (
          <Field
            {...field('price', texts.mistakes.price)}
            {...(mistake === 'thirdDecimal' && { error: texts.mistakes.thirdDecimal })}
            inputMode="decimal"
            autoComplete="off"
            dir="ltr"
          />
        )}
        {kind === 'percent' && (
          <Field
            {...field('percent', texts.mistakes.percent)}
            hint={texts.percentHint}
            autoComplete="off"
            dir="ltr"
          />
        )}
        {kind === 'discount' && (
          <>
            <Field
              {...field('percent', texts.mistakes.off)}
              inputMode="numeric"
              autoComplete="off"
              dir="ltr"
            />
            <Field {...field('from', texts.mistakes.from)} type="date" hint={texts.fromHint} />
            <Field {...field('until', texts.mistakes.until)} type="date" hint={texts.untilHint} />
          </>
        )}
        <div className="cluster change__buttons">
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {isBusy ? texts.previewing : texts.preview}
          </Button>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </div>
      </form>
      <p className="soft">{texts.notes[kind]}</p>
    </section>
  )
}

/** The field that the server refused, if it was one of these. */
function refusedIn(fields: Problem['fields']): FieldName | undefined {
  const [name] = Object.keys(fields)
  return FIELDS.find((field) => `change.${field}` === name)
}

function readChange(kind: BulkChangeKind, data: FormData): BulkChangeForm | Mistake {
  const entered = (name: FieldName) => String(data.get(name) ?? '').trim()
  if (kind === 'price') {
    const price = readAmount(entered('price'), { least: 0, most: DOCUMENT_PRICE_MAX })
    if (typeof price === 'number') return { kind, price }
    return price === 'thirdDecimal' ? price : 'price'
  }
  if (kind !== 'percent' && kind !== 'discount') return { kind }
  const [, sign, digits] = /^([+-]?) ?(\d{1,3}) ?[%٪]?$/.exec(plainSigns(entered('percent'))) ?? []
  if (digits === undefined) return 'percent'
  const percent = sign === '-' ? -Number(digits) : Number(digits)
  if (kind === 'percent') return { kind, percent }
  const [from, until] = [entered('from'), entered('until')]
  return until ? { kind, percent, until, ...(from && { from }) } : 'until'
}

const NONE: Picked = new Set()

function usePickedCount(): number {
  const picked = useStore($picked, { ssr: () => NONE })
  const { page } = useStore(allDocumentsTable.$state)
  return picked === 'all' ? (page?.totalElements ?? 0) : picked.size
}

export function Picking({ onChange }: { onChange: () => void }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:documents')
  const { page } = useStore(allDocumentsTable.$state)
  const count = usePickedCount()
  const all = page?.totalElements ?? 0
  return (
    <div className="picking">
      <p className="picking__count" role="status">
        {count === 0 ? texts.pickNothing : pluralText(locale, texts.picked, 'picked', count)}
      </p>
      <div className="cluster">
        <Button kind="primary" disabled={count === 0} onClick={onChange}>
          {texts.change}
        </Button>
        <Button disabled={all === 0} onClick={pickPage}>
          {texts.pickPage}
        </Button>
        <Button disabled={all === 0} onClick={pickAll}>
          {pluralText(locale, texts.pickAll, 'all', all)}
        </Button>
        {count > 0 && (
          <Button kind="plain" onClick={pickNone}>
            {texts.pickNone}
          </Button>
        )}
      </div>
    </div>
  )
}
