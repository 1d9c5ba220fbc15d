import type { ReactNode } from 'react'
import { TableFrame } from './TableFrame.tsx'

interface Props {
  /** The column headings, by the names of the columns. */
  columns: Readonly<Record<string, string>>
  /** Narrower windows, in pixels, have a card for each row; by default phones. */
  cardsBelow?: number
  /** The `tbody`. */
  children: ReactNode
}

/** A table with its headings; where it does not fit its rows are cards, and the cells name their columns. */
export function Table({ columns, cardsBelow, children }: Props) {
  return (
    <TableFrame cardsBelow={cardsBelow}>
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
