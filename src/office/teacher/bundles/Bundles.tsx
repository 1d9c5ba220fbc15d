import { useEffect, useState } from 'react'
import type { OwnBundle } from '../../../contract/office-bundles.ts'
import * as contract from '../../../contract/office-bundles.ts'
import { getOwnDocument, listOwnDocuments } from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { labelled } from '../../../i18n/listed.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { finalPrice } from '../../../rules/discount.ts'
import { BundleForm, type Candidate, offered, usePriceField } from '../../bundles/BundleForm.tsx'
import { MARKS, titlesOf } from '../../bundles/Parts.tsx'
import { ask as call } from '../../kit/backend.ts'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { idInAddress } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { Money, StateMark, Words } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { actsColumn, type Column } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useAction } from '../../kit/use-action.tsx'
import { Asked } from './Asked.tsx'

const bundleTable = tableOf(contract.listOwnBundles)

const { island, useTexts } = officeTexts(
  'office-bundles:list',
  'office-bundles:asked',
  'office-bundles:form',
  'office-bundles:price',
  'office:table',
  'office:confirm',
)

function Bundles() {
  const texts = useTexts('office-bundles:list')
  const { ask, dialog, message, say } = useQuestions()
  const columns = useColumns(ask)
  const { alert, attempt, isBusy } = useAction()
  const [chosen, setChosen] = useState<readonly Candidate[] | null>(null)
  const open = () => attempt(async () => setChosen(await namedInAddress()))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mounting
  useEffect(() => void (idInAddress('document') && open()), [])
  return (
    <>
      {message}
      {chosen ? (
        <BundleForm
          title={texts.fresh.title}
          text={texts.fresh.text}
          submit={texts.fresh.submit}
          initial={chosen}
          find={findOwn}
          send={async (body) => {
            await call(contract.createBundle, { body })
            setChosen(null)
            say(texts.fresh.done)
            bundleTable.refresh()
          }}
          onCancel={() => setChosen(null)}
        />
      ) : (
        <p>
          <Button kind="primary" isBusy={isBusy} onClick={open}>
            {texts.make}
          </Button>
        </p>
      )}
      {alert}
      <Asked />
      <OfficeTable table={bundleTable} columns={columns} texts={texts} />
      {dialog}
    </>
  )
}

const isSold = ({ state, ...priced }: OwnDocument) => state === 'published' && priceOf(priced) > 0
const priceOf = ({ price, priceDiscount }: Pick<OwnDocument, 'price' | 'priceDiscount'>) =>
  finalPrice({ price: price ?? 0, priceDiscount })
const candidateOf = (document: OwnDocument): Candidate => ({
  id: document.id,
  title: document.title,
  price: priceOf(document),
})

async function findOwn(q?: string): Promise<Candidate[]> {
  const { content } = await call(listOwnDocuments, { query: offered(q) })
  return content.filter(isSold).map(candidateOf)
}

/** The documents that the address names, such as a correction and its paper, as far as they are sold. */
async function namedInAddress(): Promise<Candidate[]> {
  const ids = new Set([idInAddress('document') ?? [], idInAddress('with') ?? []].flat())
  const pages = await Promise.all([...ids].map((id) => call(getOwnDocument, { params: { id } })))
  return pages
    .map(({ document }) => document)
    .filter(isSold)
    .map(candidateOf)
}

type Ask = ReturnType<typeof useQuestions>['ask']

function useColumns(ask: Ask): readonly Column<OwnBundle>[] {
  const locale = useLocale()
  const texts = useTexts('office-bundles:list')
  const { change, stop } = useActs(ask)
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
      const [first] = bundle.documents
      return [
        bundle.state === 'selling' &&
          first !== undefined && {
            text: texts.page,
            label: named(texts.page),
            act: `/shop-details/${first.id}#bundle-${bundle.id}` as const,
          },
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

function useActs(ask: Ask) {
  const texts = useTexts('office-bundles:list')
  const priceField = usePriceField()
  return {
    change({ id, price }: OwnBundle) {
      ask({
        title: texts.change.title,
        submit: texts.change.submit,
        text: texts.change.text,
        fields: [priceField.startingWith(price)],
        async send(values) {
          const body = { price: priceField.read(values.price) }
          bundleTable.put(await call(contract.setBundlePrice, { params: { id }, body }))
          return texts.change.done
        },
      })
    },
    stop({ id }: OwnBundle) {
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
    },
  }
}

export default island(Bundles)
