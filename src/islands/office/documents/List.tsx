import './list.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { DOCUMENT_STATES } from '../../../rules/document-life.ts'
import type { DocumentAct } from '../../../stores/office/documents/actions.ts'
import { documentsTable } from '../../../stores/office/documents/list.ts'
import { islandTexts, useLocale } from '../../parts/island.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { ActDialog } from './ActDialog.tsx'
import { useColumns } from './columns.tsx'

const { island, useTexts } = islandTexts(
  'office-documents:list',
  'office-documents:states',
  'office-documents:acts',
  'office-documents:fields',
  'office:confirm',
  'office:table',
  'common:price',
  'errors:codes',
  'office-errors:codes',
)

/** An action that the user has not confirmed yet. */
interface PendingAct {
  document: OwnDocument
  what: DocumentAct
}

/** All documents of the teacher, with the actions on each. */
function List() {
  const locale = useLocale()
  const texts = useTexts('office-documents:list')
  const [pending, setPending] = useState<PendingAct | null>(null)
  const columns = useColumns((document, what) => setPending({ document, what }))
  return (
    <>
      <States />
      <OfficeTable
        table={documentsTable}
        label={texts.title}
        columns={columns}
        rowKey={({ id }) => id}
        counts={texts.counts}
        search={texts.search}
        empty={{
          ...texts.empty,
          action: (
            <a className="button button--primary" href={pathIn(locale, '/office/documents/new')}>
              {texts.add}
            </a>
          ),
        }}
      />
      {pending && (
        <ActDialog {...pending} onDone={documentsTable.refresh} onClose={() => setPending(null)} />
      )}
    </>
  )
}

/** The number of documents in each state, as tabs that filter the list by state. */
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

export default island(List)
