import type { PersonView } from '../../../contract/office-people.ts'
import { labelled } from '../../../i18n/listed.ts'
import { useLocale } from '../../parts/island.tsx'
import { Money } from '../parts/cells.tsx'
import { useTexts } from './texts.ts'

/** A summary of a teacher's documents and money. */
export function Teaching({ teacher }: { teacher: NonNullable<PersonView['teacher']> }) {
  const locale = useLocale()
  const texts = useTexts('office-people:person')
  const amounts = [
    { term: texts.owed, amount: teacher.owed },
    { term: texts.available, amount: teacher.available },
    { term: texts.paidOut, amount: teacher.paidOut },
  ]
  return (
    <section className="stack">
      <h2>{texts.teacher}</h2>
      <dl className="spans">
        {amounts.map(({ term, amount }) => (
          <div className="spans__one" key={term}>
            <dt>{term}</dt>
            <dd className="spans__amount">
              <Money amount={amount} />
            </dd>
          </div>
        ))}
        <div className="spans__one">
          <dt>{texts.sales}</dt>
          <dd className="spans__amount">{teacher.salesCount}</dd>
        </div>
      </dl>
      <p className="cluster soft">
        {teacher.documents.map(({ state, count }) => (
          <span key={state}>{labelled(locale, texts.documentStates[state], count)}</span>
        ))}
      </p>
    </section>
  )
}
