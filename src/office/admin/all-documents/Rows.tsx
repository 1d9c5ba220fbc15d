import type { BulkChangeView, ChangedRow } from '../../../contract/office-bulk-changes.ts'
import { fillText, limitText, pluralText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { PriceOrFree } from '../../../islands/parts/Price.tsx'
import { DOCUMENT_PRICE_MAX, DOCUMENT_PRICE_MIN } from '../../../rules/document-fields.ts'
import { Money, Words } from '../../kit/tables/cells.tsx'
import { type Column, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { DocumentStateMark } from '../../teacher/documents/DocumentStateMark.tsx'
import { useTexts } from './texts.ts'

export function ChangedRows({ change: { rows, changing } }: { change: BulkChangeView }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  const columns = useRowColumns()
  if (rows.length === 0) return null
  return (
    <>
      <ShortTable
        label={texts.rows}
        columns={columns}
        rows={rows}
        rowKey={({ document }) => document.id}
      />
      {changing > rows.length && (
        <p className="soft">{pluralText(locale, texts.more, 'more', changing - rows.length)}</p>
      )}
    </>
  )
}

function useRowColumns(): readonly Column<ChangedRow>[] {
  const { columns: heads } = useTexts('office-goods:change')
  const { free } = useTexts('common:price')
  const priceCell = ({ state, finalPrice }: ChangedRow['before']) =>
    state === 'published' && finalPrice !== null ? (
      <PriceOrFree amount={finalPrice} free={free} className="money" />
    ) : (
      <DocumentStateMark state={state} />
    )
  const earningsCell = ({ earns }: ChangedRow['before']) =>
    earns === null ? '–' : <Money amount={earns} />
  return [
    {
      head: heads.document,
      cell: ({ document }) => (
        <>
          <Words>{document.title}</Words>
          <span className="change__teacher soft small">
            <Words>{document.teacher}</Words>
          </span>
        </>
      ),
    },
    { head: heads.before, isNumber: true, cell: ({ before }) => priceCell(before) },
    { head: heads.after, isNumber: true, cell: ({ after }) => priceCell(after) },
    { head: heads.earnsBefore, isNumber: true, cell: ({ before }) => earningsCell(before) },
    { head: heads.earnsAfter, isNumber: true, cell: ({ after }) => earningsCell(after) },
  ]
}

export function KeptRows({ change: { kept, keptRows } }: { change: BulkChangeView }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  if (kept.length === 0) return null
  const limits = {
    least: limitText(locale, DOCUMENT_PRICE_MIN),
    most: limitText(locale, DOCUMENT_PRICE_MAX),
  }
  return (
    <section className="stack">
      <h3>{texts.kept}</h3>
      <ul className="change__kept">
        {kept.map(({ code, count }) => (
          <li key={code}>
            <details>
              <summary>
                {fillText(texts.obstacles[code], limits)} <bdi className="soft">({count})</bdi>
              </summary>
              <ul>
                {keptRows
                  .filter((row) => row.code === code)
                  .map(({ document }) => (
                    <li key={document.id}>
                      <Words>{document.title || texts.untitled}</Words>{' '}
                      <span className="soft small">
                        <Words>{document.teacher}</Words>
                      </span>
                    </li>
                  ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}
