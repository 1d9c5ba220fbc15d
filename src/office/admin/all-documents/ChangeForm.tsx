import { useStore } from '@nanostores/react'
import type { SubmitEvent } from 'react'
import type { BulkChangeForm } from '../../../contract/office-bulk-changes.ts'
import { fillText, limitText, pluralText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
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
import type { Values } from '../../../stores/shared/form.ts'
import type { Problem } from '../../../stores/shared/problem.ts'
import { readAmount } from '../../kit/forms/amount.ts'
import { NUMBER, useFieldTable } from '../../kit/forms/field-table.tsx'
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

export function ChangeForm({ onClose }: { onClose: () => void }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  const { isBusy, problem, alert, attempt } = useAction()
  const count = usePickedCount()
  const { fields: labels } = texts
  const sentence = (mistake: keyof typeof texts.mistakes) =>
    fillText(texts.mistakes[mistake], {
      least: limitText(locale, DOCUMENT_PRICE_MIN),
      most: limitText(locale, DOCUMENT_PRICE_MAX),
      down: -PRICE_PERCENT_MIN,
      up: PRICE_PERCENT_MAX,
      min: DISCOUNT_PERCENT_MIN,
      max: DISCOUNT_PERCENT_MAX,
    })
  const isFor = (kind: BulkChangeKind) => (values: { kind: string }) => values.kind === kind
  const table = useFieldTable<'kind' | FieldName>([
    {
      name: 'kind',
      label: texts.what,
      options: BULK_CHANGES.map((each) => ({ value: each, text: texts.kinds[each] })),
      initial: 'discount',
    },
    {
      ...NUMBER,
      name: 'price',
      label: labels.price,
      isShown: isFor('price'),
      check: (text) => {
        const price = readPrice(text)
        return typeof price !== 'number' && sentence(price === 'thirdDecimal' ? price : 'price')
      },
    },
    {
      name: 'percent',
      label: labels.percent,
      hint: texts.percentHint,
      dir: 'ltr',
      isShown: isFor('percent'),
      check: (text) => readPercent(text) === null && sentence('percent'),
    },
    {
      ...NUMBER,
      name: 'off',
      label: labels.off,
      inputMode: 'numeric',
      isShown: isFor('discount'),
      check: (text) => readPercent(text) === null && sentence('off'),
    },
    {
      name: 'from',
      label: labels.from,
      type: 'date',
      hint: texts.fromHint,
      isShown: isFor('discount'),
    },
    {
      name: 'until',
      label: labels.until,
      type: 'date',
      hint: texts.untilHint,
      isShown: isFor('discount'),
      check: (text) => text === '' && sentence('until'),
    },
  ])
  const kind = BULK_CHANGES.find((each) => each === table.values.kind) ?? 'discount'

  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!table.check()) return
    return attempt(
      () => previewChange(changeOf(kind, table.values)),
      ({ fields }) => {
        const field = refusedIn(kind, fields)
        if (field) table.refuse(field, sentence(field))
      },
    )
  }
  return (
    <section className="change stack">
      <h2>{pluralText(locale, texts.title, 'title', count)}</h2>
      {count > BULK_CHANGE_MAX && (
        <ErrorAlert text={fillText(texts.tooMany, { most: BULK_CHANGE_MAX })} />
      )}
      {problem && !refusedIn(kind, problem.fields) && alert}
      <form className="change__form" method="post" noValidate onSubmit={send}>
        {table.view}
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

const FIELDS = ['price', 'percent', 'off', 'from', 'until'] as const
type FieldName = (typeof FIELDS)[number]

/** The field that the server refused, if it was one of these. */
function refusedIn(kind: BulkChangeKind, fields: Problem['fields']): FieldName | undefined {
  const [path = ''] = Object.keys(fields)
  const name = path.replace(/^change\./, '')
  return kind === 'discount' && name === 'percent' ? 'off' : FIELDS.find((each) => each === name)
}

const readPrice = (typed: string) => readAmount(typed, { least: 0, most: DOCUMENT_PRICE_MAX })

/** A typed percentage, which may have its sign; null if it is none. */
function readPercent(typed: string): number | null {
  const [, sign, digits] = /^([+-]?) ?(\d{1,3}) ?[%٪]?$/.exec(plainSigns(typed)) ?? []
  if (digits === undefined) return null
  return sign === '-' ? -Number(digits) : Number(digits)
}

/** The change of checked values. */
function changeOf(
  kind: BulkChangeKind,
  { price, percent, off, from, until }: Values<FieldName>,
): BulkChangeForm {
  if (kind === 'price') return { kind, price: Number(readPrice(price)) }
  if (kind === 'percent') return { kind, percent: Number(readPercent(percent)) }
  if (kind !== 'discount') return { kind }
  return { kind, percent: Number(readPercent(off)), until, ...(from && { from }) }
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
    <div className="picking cluster gap-4 lines-3">
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
