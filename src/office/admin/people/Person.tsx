import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { StateOfPerson } from './StateOfPerson.tsx'
import './people.css'
import '../../kit/summary.css'
import '../../../parts/facts.css'
import { useStore } from '@nanostores/react'
import type { LoggedAction } from '../../../contract/office-log.ts'
import { ACCOUNT_REASON_MAX_LENGTH, type PersonView } from '../../../contract/office-people.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { actionText } from '../../../i18n/office-log.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import { momentText } from '../../kit/dates.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { adminTexts, useActorName } from '../../kit/office-texts.ts'
import { $officeSession } from '../../kit/session.ts'
import { Moment, Money, Words } from '../../kit/tables/cells.tsx'
import { useOutcome } from '../acts/outcome.ts'
import { useReasonText } from '../log/reason-text.ts'
import { Subject } from '../log/Subject.tsx'
import { MailNote } from '../notices/MailNote.tsx'
import { Bought } from './Bought.tsx'
import { actOn, actsFor, needsReason, type PersonAct, shownPerson } from './people.ts'

const { island, useTexts } = adminTexts(
  'office-people:person',
  'office-people:bought',
  'office-people:roles',
  'office-people:states',
  'office-people:returning',
  'office-people:invite',
  'office-acts:waits',
  'office-log:actions',
  'office-log:subjects',
  'office-log:settings',
  'office-log:fields',
  'office-acts:kinds',
  'office-acts:bounds',
  'office:confirm',
  'common:price',
  'office-notices:folder',
  'own-account:leaving',
  'account:login',
)

const OUTLINES = ['line', 'button', 'button', 'button'] as const
const noSession = () => null
const loadLeaving = async () => (await import('./Leaving.tsx')).Leaving

function Person() {
  const texts = useTexts('office-people:person')
  const session = useStore($officeSession, { ssr: noSession })
  return (
    <LoadedStore from={shownPerson} texts={texts} shapes={OUTLINES}>
      {(view) => {
        const leaving = (
          <Later
            load={loadLeaving}
            give={{ view }}
            loading={{ text: texts.loading, shapes: ['line', 'button'] }}
            failed={texts.failed}
          />
        )
        return (
          <div className="person stack gap-8">
            <PersonFacts view={view} />
            {view.person.id === session?.userId ? (
              <p className="soft">{texts.own}</p>
            ) : (
              <PersonActs view={view} />
            )}
            {view.deletion && leaving}
            {view.customer && <Bought id={view.person.id} customer={view.customer} />}
            {view.teacher && <Teaching teacher={view.teacher} />}
            {view.deletion === null && leaving}
            <LogSection rows={view.log} />
          </div>
        )
      }}
    </LoadedStore>
  )
}

function LogSection({ rows }: { rows: readonly LoggedAction[] }) {
  const texts = useTexts('office-people:person')
  const actions = useTexts('office-log:actions')
  const nameOf = useActorName()
  const reasonText = useReasonText()
  return (
    <section className="stack">
      <h2>{texts.log}</h2>
      {rows.length === 0 && <p className="soft">{texts.noLog}</p>}
      <ul className="person__list">
        {rows.map((row) => (
          <li key={row.id}>
            <span className="person__what">
              {actionText(row.action, actions)} · <Subject subject={row.subject} />
              {row.reason !== null && (
                <span className="person__comment soft along" dir="auto">
                  {reasonText(row)}
                </span>
              )}
            </span>
            <Words>{nameOf(row.actor.name)}</Words>
            <Moment at={row.at} withTime />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PersonFacts({ view }: { view: PersonView }) {
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
        {person.email !== null && (
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
        )}
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
            reason: isolate(blockedReason ?? texts.noReason),
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

function PersonActs({ view }: { view: PersonView }) {
  const locale = useLocale()
  const texts = useTexts('office-people:person')
  const outcome = useOutcome()
  const { ask, dialog, message } = useQuestions()
  const reason = useReason()
  const { person } = view
  const acts = actsFor(view)
  const questionFor = (act: PersonAct) => {
    const { title, button, text, done } = texts.acts[act]
    return {
      title,
      submit: button,
      isDanger: act === 'block' || act === 'withdraw',
      about: (
        <p>
          <strong className="along" dir="auto">
            {person.name}
          </strong>
        </p>
      ),
      text: fillText(text, { email: `\u2066${person.email ?? person.phone}\u2069` }),
      fields: needsReason(act) ? [reason(ACCOUNT_REASON_MAX_LENGTH)] : [],
      send: async (given: { reason: string }) => {
        const made = await actOn(person.id, act, given.reason)
        if (act === 'withdraw') return location.assign(pathIn(locale, '/office/people'))
        return outcome(made, fillText(done, { code: made.code }))
      },
    }
  }
  const canMerge = person.role === 'PARENT' && person.state === 'active'
  return (
    <>
      {message}
      {(acts.length > 0 || canMerge) && (
        <section className="stack">
          <h2>{texts.actions}</h2>
          <MailNote />
          <p className="cluster">
            {acts.map((act) => (
              <Button
                key={act}
                kind={act === 'block' ? 'danger' : undefined}
                onClick={() => ask(questionFor(act))}
              >
                {texts.acts[act].button}
              </Button>
            ))}
            {canMerge && (
              <ButtonLink to={`/office/merge?id=${person.id}`}>{texts.merge}</ButtonLink>
            )}
          </p>
        </section>
      )}
      {dialog}
    </>
  )
}

function Teaching({ teacher }: { teacher: NonNullable<PersonView['teacher']> }) {
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

export default island(Person)
