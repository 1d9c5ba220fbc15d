import type { Provider } from '../../contract/orders.ts'
import type { PaymentMethod } from '../../rules/payment-methods.ts'
import { islandTexts } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'checkout:page',
  'checkout:items',
  'checkout:empty',
  'checkout:failed',
  'checkout:login',
  'checkout:payment',
  'checkout:confirm',
  'checkout:result',
  'checkout:code',
  'checkout:codes',
  'charging:providers',
  'common:methods',
  'common:card',
  'order:waiting',
  'purchase:notice',
  'errors:open',
  'errors:codes',
)

export function useMethodNames(provider: Provider): Readonly<Record<PaymentMethod, string>> {
  const { wallet, bank_transfer, d17 } = useTexts('common:methods')
  const providers = useTexts('charging:providers')
  const card = provider === 'none' ? '' : providers[provider]
  return { wallet, card, bank_transfer, d17 }
}
