import { useState } from 'react'
import { listAllDocuments } from '../../../contract/office-all-documents.ts'
import type { SharedBundle } from '../../../contract/office-shared-bundles.ts'
import * as contract from '../../../contract/office-shared-bundles.ts'
import { labelled } from '../../../i18n/listed.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { finalPrice } from '../../../rules/discount.ts'
import { BundleForm, type Candidate, offered } from '../../bundles/BundleForm.tsx'
import { MARKS, Parts, titlesOf } from '../../bundles/Parts.tsx'
import { ask as call } from '../../kit/backend.ts'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import { Money, StateMark } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { actsColumn, type Column } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'

const bundleTable = tableOf(contract.listSharedBundles)

const { island, useTexts } = adminTexts(
  'office-bundles:shared',
  'office-bundles:form',
  'office-bundles:price',
  'office:table',
  'office:confirm',
)

function SharedBundles() {
  const texts = useTexts('office-bundles:shared')
  const { ask, dialog, message, say } = useQuestions()
  /** What is edited: a bundle, or a new one. */
  const [edited, setEdited] = useState<SharedBundle | 'new' | null>(null)
  const before = edited === 'new' ? null : edited
  const columns = useColumns(ask, setEdited)
  return (
    <>
      {message}
      {edited ? (
        <BundleForm
          key={before?.id}
          {...(before ? texts.change : texts.fresh)}
          initial={before?.documents.map(candidateOf) ?? []}
          price={before?.price}
          find={findOfAll}
          send={async (body) => {
            const changed = before
              ? await call(contract.changeSharedBundle, {
                  params: { id: before.id },
                  body: { ...body, revision: before.revision },
                })
              : await call(contract.offerBundle, { body })
            setEdited(null)
            say(texts.fresh.done)
            bundleTable.put(changed)
          }}
          onCancel={() => setEdited(null)}
        />
      ) : (
        <p>
          <Button kind="primary" onClick={() => setEdited('new')}>
            {texts.make}
          </Button>
        </p>
      )}
      <OfficeTable table={bundleTable} columns={columns} texts={texts} />
      {dialog}
    </>
  )
}

const candidateOf = (document: SharedBundle['documents'][number]): Candidate => ({
  id: document.id,
  title: document.title,
  by: document.teacher,
  price: document.priceNow,
})

async function findOfAll(q?: string): Promise<Candidate[]> {
  const { content } = await call(listAllDocuments, { query: offered(q) })
  return content
    .map(({ id, title, teacher, price, priceDiscount }) => {
      const now = finalPrice({ price: price ?? 0, priceDiscount })
      return { id, title, by: teacher.name, price: now }
    })
    .filter(({ price }) => price > 0)
}

function useColumns(
  ask: ReturnType<typeof useQuestions>['ask'],
  onChange: (bundle: SharedBundle) => void,
): readonly Column<SharedBundle>[] {
  const locale = useLocale()
  const texts = useTexts('office-bundles:shared')
  const stop = ({ id }: SharedBundle) =>
    ask({
      title: texts.stop.title,
      submit: texts.stop.submit,
      text: texts.stop.text,
      isDanger: true,
      async send() {
        bundleTable.put(await call(contract.stopSharedBundle, { params: { id } }))
        return texts.stop.done
      },
    })
  return [
    { head: texts.columns.documents, cell: (bundle) => <Parts documents={bundle.documents} /> },
    { head: texts.columns.price, isNumber: true, cell: ({ price }) => <Money amount={price} /> },
    {
      head: texts.columns.teachers,
      cell: ({ teachers }) => (
        <ul className="stack gap-2">
          {teachers.map(({ id, name, answer }) => (
            <li className="cluster lines-0" key={id}>
              <bdi>{name}</bdi>
              <span className="soft small">{texts.answers[answer ?? 'none']}</span>
            </li>
          ))}
        </ul>
      ),
    },
    {
      head: texts.columns.state,
      cell: ({ state }) => <StateMark kind={MARKS[state]} text={texts.states[state]} />,
    },
    actsColumn(texts.columns.acts, (bundle) => {
      if (bundle.state === 'stopped') return []
      const named = (text: string) => labelled(locale, text, titlesOf(bundle))
      const { change, stop: ending } = texts
      return [
        { text: change.act, label: named(change.act), act: () => onChange(bundle) },
        { text: ending.act, label: named(ending.act), act: () => stop(bundle) },
      ]
    }),
  ]
}

export default island(SharedBundles)
