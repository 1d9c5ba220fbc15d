import '../people/people.css'
import '../../kit/summary.css'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { Bought } from '../people/Bought.tsx'
import { customerOf } from './later.ts'

export function Beside({ customerId }: { customerId: number }) {
  const locale = useLocale()
  const texts = useTexts('office-conversations:beside')
  return (
    <LoadedStore
      from={customerOf}
      of={customerId}
      texts={{ loading: texts.loading, failed: { title: texts.failed, retry: texts.retry } }}
      shapes={['line', 'button', 'line']}
    >
      {({ person, customer }) => (
        <div className="inbox__facts stack">
          <p>
            <bdi dir="ltr" className="person__email">
              {person.email}
            </bdi>
            {person.email && person.phone && ' · '}
            <bdi dir="ltr">{person.phone}</bdi>
          </p>
          <p>
            <a href={`${pathIn(locale, '/office/person')}?id=${person.id}`}>{texts.person}</a>
          </p>
          {customer && <Bought id={person.id} customer={customer} />}
        </div>
      )}
    </LoadedStore>
  )
}
