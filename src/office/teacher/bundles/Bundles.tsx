import type { OwnBundle } from '../../../contract/office-bundles.ts'
import * as contract from '../../../contract/office-bundles.ts'
import { listOwnDocuments } from '../../../contract/office-documents.ts'
import { priceParts, priceText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { BUNDLE_PRICE_MIN } from '../../../rules/bundles.ts'
import { finalPrice } from '../../../rules/discount.ts'
import { MAX_PRICE, type Millimes } from '../../../rules/money.ts'
import { ask as call } from '../../kit/backend.ts'
import { readAmount } from '../../kit/forms/amount.ts'
import { type FieldRow, NUMBER } from '../../kit/forms/field-table.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { idInAddress, resource } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { Money, StateMark, Words } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { actsColumn, type Column } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'

const bundleTable = tableOf(contract.listOwnBundles)

/** How many documents a new bundle chooses from: those sold most. */
const DOCUMENTS_OFFERED = 100
const documents = resource(listOwnDocuments, () => ({
  query: { state: 'published' as const, sort: '-sales' as const, size: DOCUMENTS_OFFERED },
}))

const MARKS = { selling: 'good', resting: 'waiting', stopped: 'off' } as const

const { island, useTexts } = officeTexts('office-bundles:list', 'office:table', 'office:confirm')

function Bundles() {
  const texts = useTexts('office-bundles:list')
  const { ask, dialog, message } = useQuestions()
  const columns = useColumns(ask)
  const askForNew = useNew(ask)
  return (
    <>
      {message}
      <p>
        <Button kind="primary" disabled={!askForNew} onClick={askForNew}>
          {texts.make}
        </Button>
      </p>
      <OfficeTable table={bundleTable} columns={columns} texts={texts} />
      {dialog}
    </>
  )
}

type Ask = ReturnType<typeof useQuestions>['ask']

/** The field of a price, and what it is in millimes. */
function usePrice() {
  const { price: texts } = useTexts('office-bundles:list')
  const locale = useLocale()
  const read = (typed: string) => readAmount(typed, { least: BUNDLE_PRICE_MIN, most: MAX_PRICE })
  const field = (initial?: Millimes): FieldRow<'price'> => ({
    name: 'price',
    label: texts.label,
    hint: texts.hint,
    ...NUMBER,
    ...(initial && { initial: priceParts(locale, initial).number }),
    check(typed) {
      const amount = read(typed)
      return typeof amount !== 'number' && texts[amount]
    },
  })
  return { field, read: (typed: string) => Number(read(typed)) }
}

const PLACES = ['first', 'second', 'third'] as const

/** Asks which documents are sold together, those that the address names ahead of others; null while they load. */
function useNew(ask: Ask) {
  const locale = useLocale()
  const { fresh: texts } = useTexts('office-bundles:list')
  const price = usePrice()
  const own = useLoaded(documents)?.content
  if (!own) return undefined
  const options = own.map(({ id, title, ...priced }) => ({
    value: String(id),
    text: `${title} · ${priceText(locale, finalPrice({ ...priced, price: priced.price ?? 0 }))}`,
  }))
  const named = [idInAddress('document'), idInAddress('with'), null].map((id) =>
    options.some(({ value }) => value === String(id)) ? String(id) : '',
  )
  return () =>
    ask({
      title: texts.title,
      submit: texts.submit,
      text: texts.text,
      fields: [
        ...PLACES.map(
          (name, at): FieldRow<(typeof PLACES)[number]> => ({
            name,
            label: texts[name],
            initial: named[at] ?? '',
            options: [{ value: '', text: texts.none }, ...options],
            check: (value, values) =>
              (at < 2 && value === '' && texts.required) ||
              (value !== '' && PLACES.some((other) => other !== name && values[other] === value)
                ? texts.twice
                : false),
          }),
        ),
        price.field(),
      ],
      async send(values) {
        const documentIds = PLACES.flatMap((name) => (values[name] ? Number(values[name]) : []))
        const body = { documentIds, price: price.read(values.price) }
        await call(contract.createBundle, { body })
        void bundleTable.refresh()
        return texts.done
      },
    })
}

function useColumns(ask: Ask): readonly Column<OwnBundle>[] {
  const locale = useLocale()
  const texts = useTexts('office-bundles:list')
  const price = usePrice()
  const change = ({ id, price: before }: OwnBundle) =>
    ask({
      title: texts.change.title,
      submit: texts.change.submit,
      text: texts.change.text,
      fields: [price.field(before)],
      async send(values) {
        const body = { price: price.read(values.price) }
        bundleTable.put(await call(contract.setBundlePrice, { params: { id }, body }))
        return texts.change.done
      },
    })
  const stop = ({ id }: OwnBundle) =>
    ask({
      title: texts.stop.title,
      submit: texts.stop.submit,
      text: texts.stop.text,
      isDanger: true,
      async send() {
        bundleTable.put(await call(contract.stopBundle, { params: { id } }))
        return texts.stop.done
      },
    })
  return [
    {
      head: texts.columns.documents,
      cell: (bundle) => <Words>{titlesOf(bundle)}</Words>,
    },
    {
      head: texts.columns.price,
      isNumber: true,
      cell: (bundle) => <Money amount={bundle.price} />,
    },
    {
      head: texts.columns.singly,
      isNumber: true,
      cell: (bundle) => (
        <Money amount={bundle.documents.reduce((sum, each) => sum + each.price, 0)} />
      ),
    },
    {
      head: texts.columns.state,
      cell: (bundle) => <StateMark kind={MARKS[bundle.state]} text={texts.states[bundle.state]} />,
    },
    actsColumn(texts.columns.acts, (bundle) => {
      if (bundle.state === 'stopped') return []
      const named = (text: string) => labelled(locale, text, titlesOf(bundle))
      return [
        {
          text: texts.change.act,
          label: named(texts.change.act),
          act: () => change(bundle),
        },
        { text: texts.stop.act, label: named(texts.stop.act), act: () => stop(bundle) },
      ]
    }),
  ]
}

const titlesOf = (bundle: OwnBundle) => bundle.documents.map(({ title }) => title).join(' · ')

export default island(Bundles)
