import '../../parts/table.css'
import type { ComponentProps, ReactNode } from 'react'
import { useMedia } from './use-media.ts'

/** The box and the element of every table; phones, and enlarged text, get a card for each row. */
export function TableFrame(table: ComponentProps<'table'>) {
  const isCards = useMedia('(width < 48rem)')
  return (
    <div className="table-wrap">
      <table className={isCards ? 'table table--cards' : 'table'} {...table} />
    </div>
  )
}

interface Props {
  /** The column headings, by the names of the columns. */
  columns: Readonly<Record<string, string>>
  /** The `tbody`. */
  children: ReactNode
}

/**
 * A table with its headings; where it does not fit its rows are cards, and the cells name their
 * columns.
 */
export function Table({ columns, children }: Props) {
  return (
    <TableFrame>
      <thead>
        <tr>
          {Object.entries(columns).map(([name, text]) => (
            <th scope="col" key={name}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </TableFrame>
  )
}
