import '../people/people.css'
import '../earnings/summary.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { pathIn } from '../../../i18n/paths.ts'
import { $customer, loadCustomer } from '../../../stores/office/conversations/later.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { Bought } from '../people/Bought.tsx'

/** The balance and purchases of the customer of the open conversation. */
export function Beside({ customerId }: { customerId: number }) {
  const locale = useLocale()
  const texts = useTexts('office-conversations:beside')
  const state = useStore($customer, { ssr: notLoaded })
  useEffect(() => void loadCustomer(customerId), [customerId])
  return (
    <LoadState
      state={state}
      loading={{ text: texts.loading, shapes: ['line', 'button', 'line'] }}
      failed={{ title: texts.failed, retry: texts.retry }}
      onRetry={() => loadCustomer(customerId)}
    >
      {({ person, customer }) => (
        <div className="inbox__facts">
          <p>
            <bdi dir="ltr" className="person__email">
              {person.email}
            </bdi>
            {person.phone && (
              <>
                {' · '}
                <bdi dir="ltr">{person.phone}</bdi>
              </>
            )}
          </p>
          <p>
            <a href={`${pathIn(locale, '/office/person')}?id=${person.id}`}>{texts.person}</a>
          </p>
          {customer && <Bought id={person.id} customer={customer} />}
        </div>
      )}
    </LoadState>
  )
}
