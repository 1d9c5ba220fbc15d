import { pathIn } from '../../../i18n/paths.ts'
import { type DocumentEarnings, documentEarnings } from '../../../stores/office/earnings.ts'
import { useLocale } from '../../parts/island.tsx'
import { Money, Words } from '../parts/cells.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import type { Column } from '../parts/ShortTable.tsx'
import { useTexts } from './texts.ts'

/** The earnings of each document in the chart's range, with links to its sales. */
export function ByDocument() {
  const locale = useLocale()
  const { documents: texts } = useTexts('office-earnings:earnings')
  const columns: readonly Column<DocumentEarnings>[] = [
    {
      head: texts.document,
      sort: 'title',
      cell: ({ document: { id, title } }) => (
        <a href={`${pathIn(locale, '/office/sales')}?documentId=${id}`}>
          <Words>{title}</Words>
        </a>
      ),
    },
    { head: texts.sales, sort: 'sales', isNumber: true, cell: ({ sales }) => sales },
    {
      head: texts.share,
      sort: 'share',
      isNumber: true,
      cell: ({ share }) => <Money amount={share} />,
    },
    {
      head: texts.refunded,
      isNumber: true,
      cell: ({ refunded }) => (refunded > 0 ? <Money amount={-refunded} /> : '–'),
    },
    {
      head: texts.earned,
      isNumber: true,
      cell: ({ share, refunded }) => <Money amount={share - refunded} />,
    },
  ]
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <OfficeTable
        table={documentEarnings}
        label={texts.label}
        columns={columns}
        rowKey={({ document }) => document.id}
        counts={texts}
        empty={{ text: texts.empty }}
      />
    </section>
  )
}
