import type { WalletMovement } from '../../../contract/office-wallets.ts'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { walletTable } from '../../../stores/office/wallets.ts'
import { useLocale } from '../../parts/island.tsx'
import { Moment, Money, Words } from '../parts/cells.tsx'
import { OfficeTable } from '../parts/OfficeTable.tsx'
import type { Column } from '../parts/ShortTable.tsx'
import { useTexts } from './wallet-texts.ts'

/** The movements of a wallet, newest first, with the reasons of staff. */
export function Movements() {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:wallet')
  const { kinds } = useTexts('office-money:order')
  const common = useTexts('office-money:common')
  const columns: readonly Column<WalletMovement>[] = [
    { head: heads.what, cell: ({ kind }) => kinds[kind] },
    { head: heads.date, cell: ({ createdAt }) => <Moment at={createdAt} withTime /> },
    { head: heads.amount, isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
    {
      head: heads.after,
      isNumber: true,
      cell: ({ balanceAfter }) => <Money amount={balanceAfter} />,
    },
    {
      head: heads.why,
      cell: ({ orderId, note, by }) => (
        <span className="person-cell">
          {orderId !== null && (
            <a href={`${pathIn(locale, '/office/order')}?id=${orderId}`}>
              {fillText(common.order, { number: orderId })}
            </a>
          )}
          {note && <Words>{note}</Words>}
          {by && (
            <bdi className="person-cell__reach soft" dir="auto">
              {by}
            </bdi>
          )}
        </span>
      ),
    },
  ]
  return (
    <section className="stack">
      <h2>{texts.movements}</h2>
      <OfficeTable
        table={walletTable}
        label={texts.label}
        columns={columns}
        rowKey={({ id }) => id}
        counts={texts.counts}
        empty={{ text: texts.empty }}
      />
    </section>
  )
}
