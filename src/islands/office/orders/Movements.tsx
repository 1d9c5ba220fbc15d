import type { ShopOrderDetail } from '../../../contract/office-orders.ts'
import { fillText } from '../../../i18n/format.ts'
import { Moment, Money, Words } from '../parts/cells.tsx'
import { useTexts } from './texts.ts'

/** The ledger's movements for an order; the entries of each movement sum to 0. */
export function Movements({ order: { movements } }: { order: ShopOrderDetail }) {
  const { movements: heading, noMovements, kinds, accounts } = useTexts('office-money:order')
  return (
    <section className="stack">
      <h2>{heading}</h2>
      {movements.length === 0 && <p className="soft">{noMovements}</p>}
      {movements.map(({ id, kind, at, note, entries }) => (
        <article className="stack" key={id}>
          <h3>
            {kinds[kind]} · <Moment at={at} withTime />
          </h3>
          {note && <Words>{note}</Words>}
          <ul className="order__entries">
            {entries.map(({ account, name, amount }) => (
              <li className="order__entry" key={`${account} ${name}`}>
                <span>{fillText(accounts[account], { name: `\u2068${name}\u2069` })}</span>
                <Money amount={amount} />
              </li>
            ))}
          </ul>
        </article>
      ))}
    </section>
  )
}
