import type { Order } from '../../stores/purchase/orders.ts'

/** `order:page` of locales. */
export interface OrderTexts {
  loading: string
  failed: { title: string; retry: string }
  missing: { title: string; text: string }
  documents: string
  number: string
  order: string
  date: string
  paidAt: string
  method: string
  buyer: string
  document: string
  price: string
  total: string
  refunded: string
  refundedTotal: string
  free: string
  print: string
  methods: Readonly<Record<Order['method'], string>>
  status: Readonly<Record<Exclude<Order['status'], 'paid'>, string>>
  instructions: string
  pay: string
  note: string
}

/** Who sells, as a receipt names them. */
export interface Seller {
  name: string
  addresses: readonly string[]
  phones: readonly string[]
  email: string
}
