import '../parts/choices.css'
import '../parts/facts.css'
import '../parts/open-orders.css'
import './own-account.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, pluralText } from '../../i18n/format.ts'
import { LANGUAGE_NAMES, LOCALES } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { relativeText } from '../../i18n/relative.ts'
import {
  $ownAccount,
  type OwnAccount as Account,
  chooseMailLanguage,
  endLogIn,
  endOtherLogIns,
  type LogIn,
  leaving,
  loadOwnAccount,
} from '../../stores/account/own-account.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { serverNow } from '../../stores/shared/server-clock.ts'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Price } from '../parts/Price.tsx'
import { Section } from '../parts/Section.tsx'
import { LoadState, LoggedOut } from '../parts/States.tsx'
import { useChange } from '../parts/use-change.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { Delete, TakeAlong, ToBeDeleted } from './Leaving.tsx'

const { island, useTexts } = islandTexts(
  'own-account:page',
  'own-account:leaving',
  'account:login',
  'errors:codes',
)

const SHAPES = ['line', 'line', 'button', 'line', 'line', 'button'] as const

function OwnAccount() {
  const locale = useLocale()
  const texts = useTexts('own-account:page')
  const returnTo = pathIn(locale, '/account')
  const userId = useCustomer(returnTo)
  const account = useStore($ownAccount, { ssr: notLoaded })
  useEffect(() => {
    if (userId) void loadOwnAccount()
  }, [userId])
  if (userId === null) {
    return <LoggedOut text={texts.loggedOut} login={texts.login} returnTo={returnTo} />
  }
  return (
    <LoadState
      state={account}
      loading={{ text: texts.loading, shapes: SHAPES }}
      failed={texts.failed}
      onRetry={loadOwnAccount}
    >
      {(account) => (
        <>
          <ToBeDeleted deletion={account.deletion} leaving={leaving} />
          <WhoIAm account={account} />
          <Kept account={account} />
          <Devices logIns={account.logIns} />
          <MailLanguage chosen={account.language} />
          <TakeAlong pack={account.export} leaving={leaving} />
          <Delete account={account} leaving={leaving} needsPassword />
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
      <dl className="facts-list own-account__facts">
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
      <bdi dir="ltr" className="along">
        {email}
      </bdi>
      {isEmailConfirmed || <span className="badge badge--quiet">{texts.unconfirmed}</span>}
    </span>
  )
}

const KEPT = ['documents', 'orders', 'ratings', 'wishes', 'shelves', 'conversations'] as const

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

function Devices({ logIns }: { logIns: readonly LogIn[] }) {
  const texts = useTexts('own-account:page').devices
  const { isBusy, change, alert } = useChange()
  return (
    <Section name="devices" title={texts.title}>
      <p className="soft">{texts.text}</p>
      {alert}
      <ul className="open-orders">
        {logIns.map((logIn) => (
          <Device
            key={logIn.id}
            logIn={logIn}
            isBusy={isBusy}
            onEnd={() => change(() => endLogIn(logIn.id))}
          />
        ))}
      </ul>
      {logIns.some(({ isThis }) => !isThis) && (
        <p>
          <button
            type="button"
            className="button"
            aria-busy={isBusy}
            onClick={() => change(endOtherLogIns)}
          >
            {texts.endOthers}
          </button>
        </p>
      )}
    </Section>
  )
}

interface DeviceProps {
  logIn: LogIn
  isBusy: boolean
  onEnd: () => void
}

function Device({ logIn, isBusy, onEnd }: DeviceProps) {
  const locale = useLocale()
  const texts = useTexts('own-account:page').devices
  const name = logIn.device || texts.unknown
  const seen = relativeText(locale, logIn.seenAt, serverNow(), texts.now)
  return (
    <li>
      <p className="cluster">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {logIn.isThis && <span className="badge badge--owned">{texts.this}</span>}
      </p>
      <p className="small soft">
        {fillText(texts.since, { date: `\u2068${formatDate(locale, logIn.begunAt)}\u2069`, seen })}
      </p>
      {logIn.isThis || (
        <button type="button" className="button" aria-disabled={isBusy} onClick={onEnd}>
          {texts.end}
          <span className="visually-hidden"> {name}</span>
        </button>
      )}
    </li>
  )
}

function MailLanguage({ chosen }: { chosen: Account['language'] }) {
  const texts = useTexts('own-account:page').language
  const { change, alert } = useChange()
  return (
    <Section name="language" title={texts.title}>
      <fieldset className="cluster">
        <legend className="soft">{texts.text}</legend>
        {LOCALES.map((locale) => (
          <label className="choice" key={locale}>
            <input
              type="radio"
              name="language"
              checked={locale === chosen}
              onChange={() => change(() => chooseMailLanguage(locale))}
            />
            <span lang={locale}>{LANGUAGE_NAMES[locale]}</span>
          </label>
        ))}
      </fieldset>
      {alert}
    </Section>
  )
}

export default island(OwnAccount)
