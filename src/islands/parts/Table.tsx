import './table.css'
import type { ComponentProps, ReactNode } from 'react'
import { useMedia } from './use-media.ts'

/** Phones are narrower than this, in pixels of the usual size of text. */
const PHONE = 768

/** What browsers call text of 100 %, in pixels. */
const USUAL_SIZE = 16

interface FrameProps extends ComponentProps<'table'> {
  /** Narrower windows have a card for each row, in pixels of the usual size; by default phones. */
  cardsBelow?: number | undefined
}

/** The box and the element of every table. */
export function TableFrame({ cardsBelow = PHONE, ...table }: FrameProps) {
  // In rem, so that enlarged text gets cards where the sheets expect them.
  const isCards = useMedia(`(width < ${cardsBelow / USUAL_SIZE}rem)`)
  return (
    <div className="table-wrap">
      <table className={isCards ? 'table table--cards' : 'table'} {...table} />
    </div>
  )
}

interface Props extends Pick<FrameProps, 'cardsBelow'> {
  /** The column headings, by the names of the columns. */
  columns: Readonly<Record<string, string>>
  /** The `tbody`. */
  children: ReactNode
}

/**
 * A table with its headings; where it does not fit its rows are cards, and the cells name their
 * columns.
 */
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
