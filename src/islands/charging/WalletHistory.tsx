import '../parts/field.css'
import '../parts/table.css'
import './wallet-history.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate, priceParts } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import {
  $walletHistory,
  type HistoryEntry,
  loadHistory,
  loadOlder,
  type WalletHistory as Movements,
} from '../../stores/wallet/history.ts'
import type { ErrorTexts } from '../parts/error-texts.ts'
import { Price } from '../parts/Price.tsx'
import { LoadState } from '../parts/States.tsx'
import type { ChargingTexts } from './texts.ts'
import { WaitingTopUps } from './WaitingTopUps.tsx'

interface Props {
  locale: Locale
  texts: ChargingTexts['history']
  errors: ErrorTexts
  userId: number | undefined
}

const ROWS = ['button', 'button', 'button'] as const

/** What moved in the wallet, newest first, in its states: loading, failed, empty, full. */
export function WalletHistory({ locale, texts, errors, userId }: Props) {
  const history = useStore($walletHistory, { ssr: notLoaded })
  useEffect(() => {
    if (userId) void loadHistory()
  }, [userId])
  return (
    <section className="stack history" aria-labelledby="history-title">
      <h2 id="history-title">{texts.title}</h2>
      <LoadState
        state={history}
        loading={{ text: texts.loading, shapes: ROWS }}
        failed={{ title: texts.failed, retry: texts.retry }}
        errors={errors}
        onRetry={loadHistory}
      >
        {(history) => <History history={history} locale={locale} texts={texts} />}
      </LoadState>
    </section>
  )
}

interface HistoryProps extends Pick<Props, 'locale' | 'texts'> {
  history: Movements
}

function History({ history, locale, texts }: HistoryProps) {
  const { entries, waiting } = history
  return (
    <>
      {waiting.length > 0 && (
        <WaitingTopUps topUps={waiting} locale={locale} texts={texts.waiting} />
      )}
      {entries.length > 0 && <MovementTable history={history} locale={locale} texts={texts} />}
      {entries.length === 0 && waiting.length === 0 && <p className="empty-state">{texts.empty}</p>}
    </>
  )
}

function MovementTable({ history, locale, texts }: HistoryProps) {
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
            {history.entries.map((entry) => (
              <Movement key={entry.id} entry={entry} locale={locale} texts={texts} />
            ))}
          </tbody>
        </table>
      </div>
      {typeof history.older === 'object' && (
        <p className="field__error" role="alert">
          {texts.olderFailed}
        </p>
      )}
      {history.next !== null && (
        <p>
          <button
            type="button"
            className="button"
            aria-busy={history.older === 'loading'}
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
        <Price locale={locale} amount={entry.balanceAfter} />
      </td>
    </tr>
  )
}

/** What the wallet gained or gave, in dinars: the sign says it, the colour only repeats it. */
function Signed({ amount, locale }: { amount: number; locale: Locale }) {
  const { number, currency } = priceParts(locale, Math.abs(amount))
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
