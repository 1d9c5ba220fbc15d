import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import type { FigureTable } from '../../../contract/office-figures.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { $rankings, type FigureView, loadRankings } from '../../../stores/office/figures.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useLocale } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { Money, Words } from '../parts/cells.tsx'
import { type Column, ShortTable } from '../parts/ShortTable.tsx'
import { CsvButton } from './CsvButton.tsx'
import { useTexts } from './texts.ts'

const OUTLINES = ['line', 'button', 'button', 'button'] as const

/** The best-selling documents and teachers, and the searches without results. */
export function Rankings({ view }: { view: FigureView }) {
  const locale = useLocale()
  const texts = useTexts('office-figures:figures')
  const rankings = useStore($rankings, { ssr: notLoaded })
  const load = () => loadRankings(view)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when the period changes
  useEffect(() => void load(), [view])
  const { columns: heads } = texts
  const saleColumns = <Row extends { sales: number; gross: number }>(): Column<Row>[] => [
    { head: heads.sales, isNumber: true, cell: ({ sales }) => sales },
    { head: heads.gross, isNumber: true, cell: ({ gross }) => <Money amount={gross} /> },
  ]
  return (
    <LoadState
      state={rankings}
      loading={{ text: texts.rankingsLoading, shapes: OUTLINES }}
      failed={texts.rankingsFailed}
      onRetry={load}
    >
      {({ documents, teachers, searches }) => (
        <>
          <Ranked
            view={view}
            table="documents"
            heading={texts.documentsHeading}
            hint={texts.rankedHint}
            none={documents.length === 0 && texts.noSales}
          >
            <ShortTable
              label={texts.documentsHeading}
              rows={documents}
              rowKey={({ id }) => id}
              columns={[
                {
                  head: heads.document,
                  cell: ({ id, title }) => (
                    <a href={pathIn(locale, `/shop-details/${id}`)}>
                      <Words>{title}</Words>
                    </a>
                  ),
                },
                ...saleColumns<(typeof documents)[number]>(),
              ]}
            />
          </Ranked>
          <Ranked
            view={view}
            table="teachers"
            heading={texts.teachersHeading}
            hint={texts.rankedHint}
            none={teachers.length === 0 && texts.noSales}
          >
            <ShortTable
              label={texts.teachersHeading}
              rows={teachers}
              rowKey={({ id }) => id}
              columns={[
                {
                  head: heads.teacher,
                  cell: ({ id, name }) => (
                    <a href={pathIn(locale, `/teacher-details/${id}`)}>
                      <Words>{name}</Words>
                    </a>
                  ),
                },
                ...saleColumns<(typeof teachers)[number]>(),
                {
                  head: heads.share,
                  isNumber: true,
                  cell: ({ share }) => <Money amount={share} />,
                },
              ]}
            />
          </Ranked>
          <Ranked
            view={view}
            table="searches"
            heading={texts.searchesHeading}
            hint={texts.searchesHint}
            none={searches.length === 0 && texts.noSearches}
          >
            <ShortTable
              label={texts.searchesHeading}
              rows={searches}
              rowKey={({ words }) => words}
              columns={[
                { head: heads.words, cell: ({ words }) => <Words>{words}</Words> },
                { head: heads.times, isNumber: true, cell: ({ count }) => count },
              ]}
            />
          </Ranked>
        </>
      )}
    </LoadState>
  )
}

interface RankedProps {
  view: FigureView
  table: FigureTable
  heading: string
  hint: string
  /** The text for an empty table; false if the table has rows. */
  none: string | false
  children: ReactNode
}

function Ranked({ view, table, heading, hint, none, children }: RankedProps) {
  return (
    <section className="stack">
      <div className="figures__head">
        <h2>{heading}</h2>
        {!none && <CsvButton view={view} table={table} name={heading} />}
      </div>
      <p className="soft">{hint}</p>
      {none ? <p>{none}</p> : children}
    </section>
  )
}
