import './office-table.css'
import type { ComponentProps, ReactNode } from 'react'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { TableFrame } from '../../../islands/parts/Table.tsx'
import type { Millimes } from '../../../rules/money.ts'
import type { PageAddress } from '../../../rules/pages.ts'
import { Money } from './cells.tsx'

interface Props<Row> {
  label: string
  /** The first column names the row, and its card on phones. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** What tells a row from the others; its id by default. */
  rowKey?: ((row: Row) => string | number) | undefined
}

export function ShortTable<Row>({ label, columns, rows, rowKey }: Props<Row>) {
  return (
    <div className="office-table">
      <TableFrame>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column.head} className={classOf(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <TableBody columns={columns} rows={rows} rowKey={rowKey} />
      </TableFrame>
    </div>
  )
}

type SectionProps<Row> = Props<Row> & {
  /** What stands in place of an empty table; without it, an empty section is left out. */
  none?: string
  heading?: 'h2' | 'h3'
}

/** A table under its label as a heading. */
export function TableSection<Row>({ none, heading: Heading = 'h2', ...table }: SectionProps<Row>) {
  const isEmpty = table.rows.length === 0
  if (isEmpty && none === undefined) return null
  return (
    <section className="stack">
      <Heading>{table.label}</Heading>
      {isEmpty ? <p className="soft">{none}</p> : <ShortTable {...table} />}
    </section>
  )
}

const idOf = (row: unknown) => (row as { id: number }).id

export function TableBody<Row>({ columns, rows, rowKey = idOf }: Omit<Props<Row>, 'label'>) {
  return (
    <tbody>
      {rows.map((row) => (
        <tr key={rowKey(row)}>
          {columns.map((column, at) => {
            const { head, cell } = column
            return at === 0 ? (
              <th scope="row" key={head}>
                {cell(row)}
              </th>
            ) : (
              <td data-label={head} className={classOf(column)} key={head}>
                {quiet(cell(row))}
              </td>
            )
          })}
        </tr>
      ))}
    </tbody>
  )
}

/** A zero in soft ink. */
const quiet = (content: ReactNode) =>
  content === 0 ? <span className="soft">{content}</span> : content

/** A table column: its heading, its cells, and its sort value. */
export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** The `sort` value of the call without its sign: `price`. */
  sort?: string
  /** Whether the cells are amounts or numbers with aligned digits. */
  isNumber?: boolean
  /**
   * Whether the cell gets a whole line of its card on phones, because two columns are too narrow.
   */
  isWide?: boolean
  /** Whether the cells contain the row's buttons, shown at the end of its card on phones. */
  isActions?: boolean
}

/** A column of amounts, with a dash for an unknown one. */
export function moneyColumn<Row>(
  head: string,
  amountOf: (row: Row) => Millimes | null,
  sort?: string,
): Column<Row> {
  const cell = (row: Row) => {
    const amount = amountOf(row)
    return amount === null ? '–' : <Money amount={amount} />
  }
  return { head, cell, isNumber: true, ...(sort && { sort }) }
}

interface Priced {
  price: Millimes
  /** Before a code lowered it. */
  priceBefore?: Millimes | null
  refundedAt: string | null
}

/** A price, with what it was before a code below; struck if it was refunded. */
export function priceColumn<Row extends Priced>(
  head: string,
  beforeHead: string,
  sort?: string,
): Column<Row> {
  const cell = ({ price, priceBefore, refundedAt }: Row) => (
    <>
      <Money amount={price} isStruck={refundedAt !== null} />
      {typeof priceBefore === 'number' && (
        <span className="money-below soft small">
          {beforeHead} <Money amount={priceBefore} />
        </span>
      )}
    </>
  )
  return { head, cell, isNumber: true, ...(sort && { sort }) }
}

/** An amount, with the part of it that is withheld for the tax office below. */
export function withheldColumn<Row extends { amount: Millimes; withheld: Millimes }>(
  head: string,
  withheldHead: string,
): Column<Row> {
  const cell = ({ amount, withheld }: Row) => (
    <>
      <Money amount={amount} />
      {withheld > 0 && (
        <span className="money-below soft small">
          {withheldHead} <Money amount={withheld} />
        </span>
      )}
    </>
  )
  return { head, cell, isNumber: true }
}

/** What one can do with a row: the text of its button, and what it does or the page that it opens. */
interface RowAct extends Pick<ComponentProps<typeof Button>, 'kind' | 'isBusy'> {
  text: string
  /** The whole name of the button for screen readers, which also says which row it is. */
  label?: string
  act: PageAddress | (() => unknown)
}

/** A column of the buttons of each row; falsy acts are left out. */
export function actsColumn<Row>(
  head: string,
  actsOf: (row: Row) => readonly (RowAct | false | null)[],
): Column<Row> {
  const buttonOf = ({ text, label, act, kind, isBusy }: RowAct) =>
    typeof act === 'string' ? (
      <ButtonLink key={text} kind={kind} to={act} aria-label={label}>
        {text}
      </ButtonLink>
    ) : (
      <Button key={text} kind={kind} isBusy={isBusy} aria-label={label} onClick={act}>
        {text}
      </Button>
    )
  const cell = (row: Row) => {
    const buttons = actsOf(row).flatMap((act) => (act ? [buttonOf(act)] : []))
    return buttons.length > 0 && <span className="cluster">{buttons}</span>
  }
  return { head, isActions: true, cell }
}

function classOf<Row>({ isNumber, isWide, isActions }: Column<Row>): string | undefined {
  if (isActions) return 'office-table__actions'
  if (isWide) return 'office-table__wide'
  return isNumber ? 'office-table__number' : undefined
}
