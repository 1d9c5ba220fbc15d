import './all-documents.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { allDocumentsTable, loadDocumentChoices } from './all-documents.ts'
import { $change, forgetChange } from './bulk-changes.ts'
import { ChangeForm } from './ChangeForm.tsx'
import { Changes } from './Changes.tsx'
import { useColumns, useFilters } from './columns.tsx'
import { Outcome } from './Outcome.tsx'
import { Picking } from './Picking.tsx'
import { Preview } from './Preview.tsx'
import { island, useTexts } from './texts.ts'

function AllDocuments() {
  const texts = useTexts('office-goods:documents')
  const [isFormOpen, setFormOpen] = useState(false)
  const change = useStore($change, { ssr: () => null })
  const columns = useColumns()
  const filters = useFilters()
  useEffect(() => void loadDocumentChoices(), [])
  // A preview replaces the list, so that the picked documents cannot change meanwhile.
  if (change?.state === 'previewed') {
    return <Preview key={change.id} change={change} onBack={forgetChange} />
  }
  return (
    <>
      {change && <Outcome key={change.id} change={change} />}
      {isFormOpen ? (
        <ChangeForm onClose={() => setFormOpen(false)} />
      ) : (
        <Picking
          onChange={() => {
            forgetChange()
            setFormOpen(true)
          }}
        />
      )}
      <OfficeTable table={allDocumentsTable} columns={columns} texts={texts} filters={filters} />
      <Changes />
    </>
  )
}

export default island(AllDocuments)
