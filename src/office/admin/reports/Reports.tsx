import { CASE_STATES, type CaseRow } from '../../../contract/office-reports.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment, Words } from '../../kit/tables/cells.tsx'
import { filterOf, OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import type { Column } from '../../kit/tables/ShortTable.tsx'
import { casesTable } from './reports.ts'

const { island, useTexts } = adminTexts('office-reports:list', 'office:table')

function Reports() {
  const locale = useLocale()
  const texts = useTexts('office-reports:list')
  const heads = texts.columns
  const columns: readonly Column<CaseRow>[] = [
    {
      head: heads.document,
      cell: ({ id, document }) => (
        <a href={`${pathIn(locale, '/office/report')}?id=${id}`}>
          <Words>{document.title}</Words>
        </a>
      ),
    },
    { head: heads.teacher, cell: ({ teacher }) => <Words>{teacher}</Words> },
    { head: heads.count, isNumber: true, cell: ({ count }) => count },
    { head: heads.sale, cell: ({ document }) => texts.sale[document.isOnSale ? 'on' : 'off'] },
    { head: heads.since, cell: ({ openedAt }) => <Moment at={openedAt} withTime /> },
  ]
  return (
    <OfficeTable
      table={casesTable}
      columns={columns}
      texts={texts}
      filters={[filterOf('state', texts.state, CASE_STATES, texts.states)]}
    />
  )
}

export default island(Reports)
