import { useStore } from '@nanostores/react'
import type { MouseEvent } from 'react'
import { fillText } from '../../../i18n/format.ts'
import type { Table, TablePage } from '../../../stores/office/table.ts'
import { useTexts } from '../../parts/island.tsx'

interface Props<Row> {
  table: Table<Row>
  page: TablePage<Row>
  /** The id of the element that is scrolled into view when the page changes. */
  top: string
}

/** The links to the previous and the next page; their URLs allow opening them in a new tab. */
export function TablePager<Row>({ table, page, top }: Props<Row>) {
  const texts = useTexts('office:table')
  const view = useStore(table.$view)
  if (page.totalPages < 2) return null

  const go = (event: MouseEvent, to: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    table.show({ page: to })
    document.getElementById(top)?.scrollIntoView({ block: 'nearest' })
  }
  const step = (to: number, rel: 'prev' | 'next', text: string) =>
    to >= 0 && to < page.totalPages ? (
      <a
        className="button"
        rel={rel}
        href={table.addressOf({ ...view, page: to })}
        onClick={(event) => go(event, to)}
      >
        {text}
      </a>
    ) : (
      <span className="button" aria-disabled="true">
        {text}
      </span>
    )
  return (
    <nav className="office-table__pager" aria-label={texts.pages}>
      {step(page.number - 1, 'prev', texts.previous)}
      <span>{fillText(texts.page, { page: page.number + 1, pages: page.totalPages })}</span>
      {step(page.number + 1, 'next', texts.next)}
    </nav>
  )
}
