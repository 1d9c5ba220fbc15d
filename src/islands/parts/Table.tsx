import './table.css'
import type { ReactNode } from 'react'

interface Props {
  /** The column headings, by the names of the columns. */
  columns: Readonly<Record<string, string>>
  /** The `tbody`. */
  children: ReactNode
}

/** A table with its headings; on phones its rows are cards, and the cells name their columns. */
export function Table({ columns, children }: Props) {
  return (
    <div className="table-wrap">
      <table className="table">
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
      </table>
    </div>
  )
}
