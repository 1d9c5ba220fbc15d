import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import { $session } from '../../stores/session/session.ts'
import { readerWithoutSession } from '../../stores/user-data/phone.ts'
import { useLocale } from './island.tsx'
import { useHydrated } from './use-hydrated.ts'

const noSession = () => null

/**
 * The id of the logged-in customer; null while nobody is logged in, undefined in the pre-rendered
 * page, which knows no visitor. A visitor who opens the page logged out is sent to the log-in, and
 * from there back to `returnTo`; if the session ends later, the page stays and says so. It also
 * stays, offline, for a customer who may read kept documents without a session.
 */
export function useCustomer(returnTo?: string): number | null | undefined {
  const locale = useLocale()
  const isHydrated = useHydrated()
  const session = useStore($session, { ssr: noSession })
  useEffect(() => {
    const readsOn = !navigator.onLine && readerWithoutSession() !== null
    if (!$session.get() && !readsOn) location.replace(accountAddress(locale, returnTo))
  }, [locale, returnTo])
  return session ? session.userId : isHydrated ? null : undefined
}
