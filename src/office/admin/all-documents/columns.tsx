import { useStore } from '@nanostores/react'
import type { ListedDocument } from '../../../contract/office-all-documents.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, limitText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { PriceOrFree } from '../../../islands/parts/Price.tsx'
import { finalPrice, isDiscounted } from '../../../rules/discount.ts'
import { DOCUMENT_STATES } from '../../../rules/document-life.ts'
import { LEVELS, PRICE_BANDS } from '../../../rules/price-bands.ts'
import { DocumentStateMark } from '../../documents/DocumentStateMark.tsx'
import { lastDay } from '../../documents/documents.tsx'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { Moment, Money, Pick, Words } from '../../kit/tables/cells.tsx'
import { filterOf, type TableFilter } from '../../kit/tables/OfficeTable.tsx'
import { actsColumn, type Column } from '../../kit/tables/ShortTable.tsx'
import { $picked, documentChoices, type Picked, pick } from './all-documents.ts'
import { useTexts } from './texts.ts'

const NONE: Picked = new Set()

export function useColumns(): readonly Column<ListedDocument>[] {
  const locale = useLocale()
  const { columns: heads, open } = useTexts('office-goods:documents')
  return [
    { head: heads.document, cell: (row) => <PickedDocument document={row} /> },
    { head: heads.teacher, cell: ({ teacher }) => <Words>{teacher.names[locale]}</Words> },
    {
      head: heads.subject,
      cell: ({ subjectNames: names }) => (names ? <Words>{names[locale]}</Words> : '–'),
    },
    { head: heads.state, cell: ({ state }) => <DocumentStateMark state={state} /> },
    { head: heads.price, sort: 'price', isNumber: true, cell: (row) => <Cost document={row} /> },
    { head: heads.sales, sort: 'sales', isNumber: true, cell: ({ salesCount }) => salesCount },
    { head: heads.changed, sort: 'changed', cell: ({ changedAt }) => <Moment at={changedAt} /> },
    actsColumn(heads.open, ({ id, title }) => [
      {
        kind: 'plain',
        text: open,
        label: labelled(locale, open, title),
        act: `/office/review-document?id=${id}`,
      },
    ]),
  ]
}

function PickedDocument({ document: { id, title } }: { document: ListedDocument }) {
  const { untitled } = useTexts('office-goods:documents')
  const picked = useStore($picked, { ssr: () => NONE })
  return (
    <Pick isPicked={picked === 'all' || picked.has(id)} onPick={(isPicked) => pick(id, isPicked)}>
      {title ? <Words>{title}</Words> : <span className="soft">{untitled}</span>}
    </Pick>
  )
}

function Cost({ document: { price, priceDiscount, timed } }: { document: ListedDocument }) {
  const locale = useLocale()
  const { free } = useTexts('common:price')
  const texts = useTexts('office-goods:documents')
  if (price === null) return '–'
  const priced = { price, priceDiscount }
  const timedText = timed && (timed.priceDiscount === priceDiscount ? texts.until : texts.fromUntil)
  return (
    <span className="all-documents__price cluster inline items-stretch lines-0">
      {isDiscounted(priced) && <Money amount={price} isStruck />}
      <PriceOrFree amount={finalPrice(priced)} free={free} className="money" />
      {timed && timedText && (
        <span className="soft small">
          {fillText(timedText, {
            price: limitText(locale, timed.priceDiscount),
            from: formatDate(locale, timed.from),
            until: lastDay(locale, timed.until),
          })}
        </span>
      )}
    </span>
  )
}

export function useFilters(): readonly TableFilter[] {
  const locale = useLocale()
  const { filters: labels } = useTexts('office-goods:documents')
  const states = useTexts('office-documents:states')
  const levels = useTexts('catalogue:levels')
  const choices = useLoaded(documentChoices)
  const optionsOf = (which: 'teachers' | 'subjects' | 'categories') =>
    (choices?.[which] ?? [])
      .map(({ id, names }) => ({ value: String(id), text: names[locale] }))
      .sort((one, other) => one.text.localeCompare(other.text, locale))
  const bandText = ({ min, max }: (typeof PRICE_BANDS)[number]) =>
    max === null
      ? fillText(labels.above, { min: limitText(locale, min) })
      : fillText(labels.between, { min: limitText(locale, min), max: limitText(locale, max) })
  return [
    filterOf('state', labels.state, DOCUMENT_STATES, states),
    { name: 'teacher', label: labels.teacher, options: optionsOf('teachers') },
    { name: 'subject', label: labels.subject, options: optionsOf('subjects') },
    filterOf('level', labels.level, LEVELS, (level) => levels[level].name),
    { name: 'category', label: labels.category, options: optionsOf('categories') },
    {
      name: 'price',
      label: labels.price,
      options: PRICE_BANDS.map((band) => ({ value: band.id, text: bandText(band) })),
    },
    filterOf('discount', labels.discount, ['discounted', 'timed', 'none'], labels),
    filterOf('facts', labels.facts, ['missing'], labels),
  ]
}
