import { getEarnings } from '../../../contract/earnings.ts'
import * as contract from '../../../contract/office-discount-codes.ts'
import { listOwnDocuments } from '../../../contract/office-documents.ts'
import { CODE_SCOPE_MAX } from '../../../rules/discount-codes.ts'
import { NewCode } from '../../codes/CodeForm.tsx'
import { useCodeColumns } from '../../codes/list.tsx'
import { ask as call } from '../../kit/backend.ts'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'

const codeTable = tableOf(contract.listOwnCodes)

/** For the teacher's share. */
const earnings = resource(getEarnings)

const SCOPES = ['all', 'documents', 'classes'] as const

/** Own documents for sale by words of their titles; those sold most without any. */
async function find(_: 'documents' | 'teachers', q: string) {
  const query = { state: 'published', sort: '-sales', size: CODE_SCOPE_MAX } as const
  const { content } = await call(listOwnDocuments, { query: { ...query, ...(q && { q }) } })
  return content.map(({ id, title }) => ({ id, name: title }))
}

const { island, useTexts } = officeTexts(
  'office-codes:own',
  'office-codes:list',
  'office-codes:form',
  'office-codes:example',
  'catalogue:niveaux',
  'share:ways',
  'office:table',
  'office:confirm',
  'office:form',
)

function Codes() {
  const { passOnText, ...texts } = useTexts('office-codes:own')
  const list = useTexts('office-codes:list')
  const { ask, dialog, message, say } = useQuestions()
  const own = useLoaded(earnings)
  const { columns, passOnDialog } = useCodeColumns({
    ask,
    passOnText,
    stop: async ({ id }) => codeTable.put(await call(contract.stopOwnCode, { params: { id } })),
  })
  const { done } = useTexts('office-codes:form')
  return (
    <>
      <p className="soft measure">{texts.lead}</p>
      {message}
      <NewCode
        keepAs="code"
        scopes={SCOPES}
        find={find}
        sharePercent={own?.terms.sharePercent}
        isOfShop={false}
        make={async (body) => {
          codeTable.put(await call(contract.createOwnCode, { body }))
          return done
        }}
        say={say}
      />
      <OfficeTable table={codeTable} columns={columns} texts={{ ...texts, counts: list.counts }} />
      {passOnDialog}
      {dialog}
    </>
  )
}

export default island(Codes)
