import type { ShopOrder } from '../../../contract/office-orders.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ORDER_STATUSES } from '../../../rules/payment-states.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment, PersonCell } from '../../kit/tables/cells.tsx'
import { filterOf, OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { type Column, moneyColumn } from '../../kit/tables/ShortTable.tsx'
import { OrderState } from './OrderState.tsx'
import { orderTable } from './orders.ts'

const { island, useTexts } = adminTexts(
  'office-money:orders',
  'office-money:common',
  'office:table',
)

function Orders() {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-money:orders')
  const { statuses, methods } = useTexts('office-money:common')
  const columns: readonly Column<ShopOrder>[] = [
    {
      head: heads.order,
      cell: ({ id }) => (
        <a href={`${pathIn(locale, '/office/order')}?id=${id}`}>
          <bdi>#{id}</bdi>
        </a>
      ),
    },
    { head: heads.buyer, cell: ({ buyer }) => <PersonCell person={buyer} /> },
    moneyColumn(heads.total, ({ total }) => total),
    { head: heads.method, cell: ({ method }) => methods[method] },
    {
      head: heads.date,
      cell: ({ paidAt, createdAt }) => <Moment at={paidAt ?? createdAt} withTime />,
    },
    { head: heads.receipt, isNumber: true, cell: ({ receiptNumber }) => receiptNumber ?? '–' },
    { head: heads.state, cell: (order) => <OrderState order={order} /> },
  ]
  return (
    <OfficeTable
      table={orderTable}
      columns={columns}
      texts={texts}
      filters={[filterOf('status', texts.status, ORDER_STATUSES, statuses)]}
    />
  )
}

export default island(Orders)
