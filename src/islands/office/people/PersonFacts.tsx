import '../../parts/facts.css'
import type { PersonView } from '../../../contract/office-people.ts'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../parts/island.tsx'
import { Moment, Words } from '../parts/cells.tsx'
import { momentText } from '../parts/dates.ts'
import { StateOfPerson } from './StateOfPerson.tsx'
import { useTexts } from './texts.ts'

/** The name, contact data and state of an account. */
export function PersonFacts({ view }: { view: PersonView }) {
  const texts = useTexts('office-people:person')
  const roles = useTexts('office-people:roles')
  const { languages } = useTexts('office-people:invite')
  const { person, language, hasSecondFactor } = view
  const isCustomer = person.role === 'PARENT'
  return (
    <section className="person__who stack">
      <h2 className="person__name">
        <Words>{person.name}</Words>
      </h2>
      <p className="cluster">
        <span>{roles[person.role]}</span>
        <StateOfPerson state={person.state} />
        <span className="soft">{fillText(texts.number, { id: person.id })}</span>
      </p>
      <Standing view={view} />
      <dl className="facts-list">
        <div>
          <dt>{texts.email}</dt>
          <dd>
            <a href={`mailto:${person.email}`}>
              <bdi dir="ltr" className="person__email">
                {person.email}
              </bdi>
            </a>
            {isCustomer && (
              <span className="soft">
                {person.emailConfirmed ? texts.confirmed : texts.unconfirmed}
              </span>
            )}
          </dd>
        </div>
        {person.phone !== null && (
          <div>
            <dt>{texts.phone}</dt>
            <dd>
              <a href={`tel:+216${person.phone}`}>
                <bdi dir="ltr">{person.phone}</bdi>
              </a>
            </dd>
          </div>
        )}
        <div>
          <dt>{texts.since}</dt>
          <dd>
            <Moment at={person.since} />
          </dd>
        </div>
        <div>
          <dt>{texts.language}</dt>
          <dd>{languages[language]}</dd>
        </div>
        {!isCustomer && (
          <div>
            <dt>{texts.secondFactor}</dt>
            <dd>{hasSecondFactor ? texts.on : texts.off}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** Why the account cannot log in, and the merges that it took part in. */
function Standing({ view }: { view: PersonView }) {
  const locale = useLocale()
  const texts = useTexts('office-people:person')
  const { person, blockedAt, blockedReason, mergedInto, merged, invitedUntil } = view
  const link = ({ id, name }: { id: number; name: string }) => (
    <a key={id} href={`${pathIn(locale, '/office/person')}?id=${id}`}>
      <Words>{name}</Words>
    </a>
  )
  return (
    <>
      {mergedInto && (
        <p className="alert">
          {texts.closed} {link(mergedInto)}
        </p>
      )}
      {blockedAt && !mergedInto && (
        <p className="alert alert--error">
          {fillText(texts.blocked, {
            date: momentText(locale, blockedAt),
            reason: `\u2068${blockedReason ?? texts.noReason}\u2069`,
          })}
        </p>
      )}
      {person.state === 'invited' && (
        <p className="alert">
          {invitedUntil
            ? fillText(texts.invited, { date: momentText(locale, invitedUntil) })
            : texts.expired}
        </p>
      )}
      {merged.length > 0 && (
        <p>
          {texts.merged} {merged.map(link)}
        </p>
      )}
    </>
  )
}
