import '../parts/choices.css'
import '../../parts/facts.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { pluralText } from '../../i18n/format.ts'
import { LANGUAGE_NAMES, LOCALES } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import {
  type OwnAccount as Account,
  chooseMailLanguage,
  chooseNewsMails,
  own,
} from '../../stores/account/own-account.ts'
import { proofOf } from '../../stores/shared/leaving.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { EmailAddress } from '../parts/EmailAddress.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Price } from '../parts/Price.tsx'
import { Section } from '../parts/Section.tsx'
import { LoadState, LoggedOut } from '../parts/States.tsx'
import { useChange } from '../parts/use-change.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { Contacts } from './Contacts.tsx'
import { Devices } from './Devices.tsx'
import { Delete, TakeAlong, ToBeDeleted } from './Leaving.tsx'

const { island, useTexts } = islandTexts(
  'own-account:page',
  'own-account:contacts',
  'own-account:leaving',
  'account:login',
  'errors:codes',
)

const SHAPES = ['line', 'line', 'button', 'line', 'line', 'button'] as const

function OwnAccount({ reachesPhones }: { reachesPhones: boolean }) {
  const locale = useLocale()
  const texts = useTexts('own-account:page')
  const returnTo = pathIn(locale, '/account')
  const userId = useCustomer(returnTo)
  const account = useStore(own.$state, { ssr: notLoaded })
  useEffect(() => {
    if (userId) void own.load()
  }, [userId])
  if (userId === null) {
    return <LoggedOut text={texts.loggedOut} login={texts.login} returnTo={returnTo} />
  }
  return (
    <LoadState
      state={account}
      loading={{ text: texts.loading, shapes: SHAPES }}
      failed={texts.failed}
      onRetry={own.load}
    >
      {(account) => (
        <>
          <ToBeDeleted deletion={account.deletion} leaving={own.leaving} />
          <WhoIAm account={account} />
          <Contacts account={account} contacts={own.contacts} reachesPhones={reachesPhones} />
          <Kept account={account} />
          <Devices logIns={account.logIns} devices={own.devices} />
          <MailLanguage chosen={account.language} />
          <NewsMails areWanted={account.wantsNews} />
          <TakeAlong pack={account.export} leaving={own.leaving} />
          <Delete account={account} leaving={own.leaving} proof={proofOf(account)} />
        </>
      )}
    </LoadState>
  )
}

function WhoIAm({ account }: { account: Account }) {
  const locale = useLocale()
  const texts = useTexts('own-account:page').who
  const { firstName, lastName, username, phone, email } = account
  const facts = [
    [texts.name, <bdi key="name">{`${firstName} ${lastName}`}</bdi>],
    [texts.username, <bdi key="username">{username}</bdi>],
    [
      texts.phone,
      phone ? (
        <bdi key="phone" dir="ltr">
          {phone}
        </bdi>
      ) : (
        texts.none
      ),
    ],
    [texts.email, email ? <Address key="email" account={account} /> : texts.none],
    [texts.since, formatDate(locale, account.since)],
  ] as const
  return (
    <Section name="who" title={texts.title}>
      <dl className="facts-list">
        {facts.map(([term, fact]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function Address({ account: { email, isEmailConfirmed } }: { account: Account }) {
  const texts = useTexts('own-account:page').who
  return (
    <span className="cluster">
      {email && <EmailAddress email={email} />}
      {isEmailConfirmed || <span className="badge badge--quiet">{texts.unconfirmed}</span>}
    </span>
  )
}

const KEPT = [
  'documents',
  'orders',
  'ratings',
  'wishes',
  'shelves',
  'marks',
  'conversations',
] as const

function Kept({ account: { kept, balance } }: { account: Account }) {
  const locale = useLocale()
  const texts = useTexts('own-account:page').kept
  const some = KEPT.filter((what) => kept[what] > 0)
  return (
    <Section name="kept" title={texts.title}>
      {balance !== null && (
        <p>
          {texts.wallet} <Price amount={balance} />
        </p>
      )}
      {some.length === 0 ? (
        <p className="soft">{texts.nothing}</p>
      ) : (
        <ul>
          {some.map((what) => (
            <li key={what}>{pluralText(locale, texts, what, kept[what])}</li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function MailLanguage({ chosen }: { chosen: Account['language'] }) {
  const texts = useTexts('own-account:page').language
  const { isBusy, change, alert } = useChange()
  return (
    <Section name="language" title={texts.title}>
      <fieldset className="cluster" aria-busy={isBusy}>
        <legend className="soft">{texts.text}</legend>
        {LOCALES.map((locale) => (
          <label className="choice" key={locale}>
            <input
              type="radio"
              name="language"
              checked={locale === chosen}
              onChange={() => change(() => chooseMailLanguage(locale), texts.saved)}
            />
            <span lang={locale}>{LANGUAGE_NAMES[locale]}</span>
          </label>
        ))}
      </fieldset>
      {alert}
    </Section>
  )
}

function NewsMails({ areWanted }: { areWanted: boolean }) {
  const texts = useTexts('own-account:page').news
  const { isBusy, change, alert } = useChange()
  return (
    <Section name="news" title={texts.title}>
      <p className="soft">{texts.text}</p>
      <label className="choice" aria-busy={isBusy}>
        <input
          type="checkbox"
          name="news"
          checked={areWanted}
          onChange={() => change(() => chooseNewsMails(!areWanted), texts.saved)}
        />
        <span>{texts.wanted}</span>
      </label>
      {alert}
    </Section>
  )
}

export default island(OwnAccount)
