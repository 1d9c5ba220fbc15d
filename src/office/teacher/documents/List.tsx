import './list.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import * as officeDocuments from '../../../contract/office-documents.ts'
import { OWN_DOCUMENT_SORTS } from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { formatRating } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { PriceOrFree } from '../../../islands/parts/Price.tsx'
import { finalPrice, isDiscounted } from '../../../rules/discount.ts'
import { actsFor, DOCUMENT_STATES, type DocumentAct } from '../../../rules/document-life.ts'
import { DocumentStateMark } from '../../documents/DocumentStateMark.tsx'
import { DocumentTitle } from '../../documents/documents.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { Tabs } from '../../kit/Tabs.tsx'
import { Moment, Money } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import type { Column } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { ActDialog } from './ActDialog.tsx'

const documentsTable = tableOf(officeDocuments.listOwnDocuments, {
  sorts: ['-changed', ...OWN_DOCUMENT_SORTS.filter((sort) => sort !== '-changed')],
  choices: { state: DOCUMENT_STATES },
})

const { island, useTexts } = officeTexts(
  'office-documents:list',
  'office-documents:states',
  'office-documents:acts',
  'office-documents:fields',
  'office:confirm',
  'office:table',
  'common:price',
)

interface PendingAct {
  document: OwnDocument
  what: DocumentAct
}

function List() {
  const texts = useTexts('office-documents:list')
  const [pending, setPending] = useState<PendingAct | null>(null)
  const columns = useColumns((document, what) => setPending({ document, what }))
  return (
    <>
      <States />
      <OfficeTable
        table={documentsTable}
        texts={{
          ...texts,
          label: texts.title,
          empty: {
            ...texts.empty,
            action: (
              <ButtonLink kind="primary" to="/office/documents/new">
                {texts.add}
              </ButtonLink>
            ),
          },
        }}
        columns={columns}
      />
      {pending && (
        <ActDialog {...pending} onDone={documentsTable.refresh} onClose={() => setPending(null)} />
      )}
    </>
  )
}

function States() {
  const texts = useTexts('office-documents:list')
  const names = useTexts('office-documents:states')
  const { page } = useStore(documentsTable.$state)
  const { filters } = useStore(documentsTable.$view)
  if (!page) return null
  const { states } = page
  const all = DOCUMENT_STATES.reduce((sum, state) => sum + (states[state] ?? 0), 0)
  if (all === 0) return null
  return (
    <Tabs
      label={texts.byState}
      tabs={[
        { value: '', text: texts.all, count: all },
        ...DOCUMENT_STATES.map((state) => ({
          value: state,
          text: names[state],
          count: states[state] ?? 0,
        })),
      ]}
      chosen={filters.state ?? ''}
      onChoose={(state) => documentsTable.filter('state', state)}
    />
  )
}

function useColumns(
  onAct: (document: OwnDocument, what: DocumentAct) => void,
): readonly Column<OwnDocument>[] {
  const locale = useLocale()
  const texts = useTexts('office-documents:list')
  const heads = texts.columns
  return [
    {
      head: heads.title,
      sort: 'title',
      cell: (row) => (
        <DocumentTitle
          document={row}
          to={`/office/document?id=${row.id}`}
          untitled={texts.untitled}
        />
      ),
    },
    { head: heads.state, cell: (row) => <State document={row} /> },
    { head: heads.price, sort: 'price', isNumber: true, cell: (row) => <Cost document={row} /> },
    { head: heads.sales, sort: 'sales', isNumber: true, cell: ({ salesCount }) => salesCount },
    {
      head: heads.rating,
      sort: 'rating',
      isNumber: true,
      cell: ({ rating, ratingCount }) =>
        ratingCount > 0 ? `${formatRating(locale, rating)}\u00a0(${ratingCount})` : '–',
    },
    { head: heads.changed, sort: 'changed', cell: ({ changedAt }) => <Moment at={changedAt} /> },
    { head: heads.acts, isActions: true, cell: (row) => <Acts document={row} onAct={onAct} /> },
  ]
}

function State({ document }: { document: OwnDocument }) {
  const locale = useLocale()
  const texts = useTexts('office-documents:list')
  const fields = useTexts('office-documents:fields')
  const { state, returned, waitingVersion, isTakenDown } = document
  return (
    <div className="own-state">
      <DocumentStateMark state={state} />
      {returned && (
        <div className="own-state__reason small">
          {returned.field && <strong>{labelled(locale, fields[returned.field], '')}</strong>}
          <p className="clamp along" dir="auto">
            {returned.reason}
          </p>
        </div>
      )}
      {waitingVersion !== null && <p className="soft small">{texts.waitingVersion}</p>}
      {isTakenDown && state === 'unpublished' && <p className="soft small">{texts.takenDown}</p>}
    </div>
  )
}

function Cost({ document }: { document: OwnDocument }) {
  const { free } = useTexts('common:price')
  const { price, priceDiscount } = document
  if (price === null) return '–'
  const priced = { price, priceDiscount }
  return (
    <span className="own-price cluster inline justify-end items-stretch lines-0">
      {isDiscounted(priced) && <Money amount={price} isStruck />}
      <PriceOrFree amount={finalPrice(priced)} free={free} className="money" />
    </span>
  )
}

function Acts({
  document,
  onAct,
}: {
  document: OwnDocument
  onAct: (document: OwnDocument, what: DocumentAct) => void
}) {
  const locale = useLocale()
  const texts = useTexts('office-documents:list')
  const acts = useTexts('office-documents:acts')
  const { id, state, missing, title } = document
  // An incomplete document cannot be submitted; its own page shows what is missing.
  const shown = actsFor(document).filter((what) => what !== 'submit' || missing.length === 0)
  const [first] = shown
  const name = title || texts.untitled
  return (
    <div className="own-acts cluster items-stretch gap-1">
      <ButtonLink
        kind="plain"
        to={`/office/document?id=${id}`}
        aria-label={labelled(locale, texts.open[state], name)}
      >
        {texts.open[state]}
      </ButtonLink>
      {first && (
        <Button
          kind="plain"
          aria-label={labelled(locale, acts[first].button, name)}
          onClick={() => onAct(document, first)}
        >
          {acts[first].button}
        </Button>
      )}
    </div>
  )
}

export default island(List)
