import type { Provider } from '../../contract/orders.ts'
import type { TopUpMethod } from '../../stores/wallet/top-up.ts'
import { islandTexts } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'charging:page',
  'charging:providers',
  'common:methods',
  'errors:open',
  'errors:codes',
)

/** The name of a way to top up: for the online gateway, its own name. */
export function useMethodName(provider: Provider): (method: TopUpMethod) => string {
  const { d17 } = useTexts('common:methods')
  const providers = useTexts('charging:providers')
  return (method) => (method === 'd17' || provider === 'none' ? d17 : providers[provider])
}
