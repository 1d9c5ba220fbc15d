import '../parts/field.css'
import '../parts/table.css'
import './wallet-history.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate, priceParts } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { dinars } from '../../rules/money.ts'
import {
  $walletHistory,
  type HistoryEntry,
  loadHistory,
  loadOlder,
  type WalletHistory as State,
} from '../../stores/wallet/history.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { Price } from '../parts/Price.tsx'
import type { ChargingTexts } from './texts.ts'
import { WaitingTopUps } from './WaitingTopUps.tsx'

interface Props {
  locale: Locale
  texts: ChargingTexts['history']
  errors: ErrorTexts
  userId: number | undefined
}

const loading: State = { phase: 'loading' }
const notLoaded = () => loading

/** What moved in the wallet, newest first, in its states: loading, failed, empty, full. */
export function WalletHistory({ locale, texts, errors, userId }: Props) {
  const list = useStore($walletHistory, { ssr: notLoaded })
  useEffect(() => {
    if (userId !== undefined) void loadHistory()
  }, [userId])
  return (
    <section className="stack history" aria-labelledby="history-title">
      <h2 id="history-title">{texts.title}</h2>
      {list.phase === 'loading' && <Loading text={texts.loading} />}
      {list.phase === 'failed' && (
        <div className="error-state" role="alert">
          <p>{texts.failed}</p>
          <p>{errors[list.problem.code]}</p>
          <button type="button" className="button" onClick={loadHistory}>
            {texts.retry}
          </button>
        </div>
      )}
      {list.phase === 'ready' && list.waiting.length > 0 && (
        <WaitingTopUps topUps={list.waiting} locale={locale} texts={texts.waiting} />
      )}
      {list.phase === 'ready' && list.entries.length === 0 && list.waiting.length === 0 && (
        <p className="empty-state">{texts.empty}</p>
      )}
      {list.phase === 'ready' && list.entries.length > 0 && (
        <Movements list={list} locale={locale} texts={texts} />
      )}
    </section>
  )
}

type Ready = Extract<State, { phase: 'ready' }>

function Movements({ list, locale, texts }: Pick<Props, 'locale' | 'texts'> & { list: Ready }) {
  const { columns } = texts
  return (
    <>
      <div className="table-wrap">
        <table className="table">
          <thead>
            <tr>
              {Object.entries(columns).map(([name, text]) => (
                <th scope="col" key={name}>
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.entries.map((entry) => (
              <Movement key={entry.id} entry={entry} locale={locale} texts={texts} />
            ))}
          </tbody>
        </table>
      </div>
      {typeof list.older === 'object' && (
        <p className="field__error" role="alert">
          {texts.olderFailed}
        </p>
      )}
      {list.next !== null && (
        <p>
          <button
            type="button"
            className="button"
            aria-busy={list.older === 'loading'}
            onClick={loadOlder}
          >
            {texts.older}
          </button>
        </p>
      )}
    </>
  )
}

interface MovementProps extends Pick<Props, 'locale' | 'texts'> {
  entry: HistoryEntry
}

function Movement({ entry, locale, texts }: MovementProps) {
  const { columns, kinds } = texts
  return (
    <tr>
      <td data-label={columns.what}>
        <strong>{kinds[entry.kind]}</strong>
        {entry.documents.length > 0 && (
          <ul className="history__documents">
            {entry.documents.map(({ id, title }) => (
              <li key={id}>
                <a className="along" href={pathIn(locale, `/shop-details/${id}`)} dir="auto">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        )}
      </td>
      <td data-label={columns.when}>
        <time dateTime={entry.createdAt}>{formatDate(locale, entry.createdAt)}</time>
      </td>
      <td data-label={columns.amount}>
        <Signed amount={entry.amount} locale={locale} />
      </td>
      <td data-label={columns.after}>
        <Price locale={locale} amount={dinars(entry.balanceAfter)} />
      </td>
    </tr>
  )
}

/** What the wallet gained or gave, in dinars: the sign says it, the colour only repeats it. */
function Signed({ amount, locale }: { amount: number; locale: Locale }) {
  const { number, currency } = priceParts(locale, Math.abs(dinars(amount)))
  return (
    <bdi className={amount < 0 ? 'price price--out' : 'price price--in'}>
      <span dir="ltr">
        {amount < 0 ? '−' : '+'}
        {number}
      </span>{' '}
      <span>{currency}</span>
    </bdi>
  )
}

function Loading({ text }: { text: string }) {
  return (
    <div className="stack" role="status" aria-busy="true">
      <span className="visually-hidden">{text}</span>
      {['first', 'second', 'third'].map((line) => (
        <div className="skeleton skeleton--button" key={line} />
      ))}
    </div>
  )
}
