import '../parts/field.css'
import './wallet-history.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { priceParts } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { isLacking, notLoaded } from '../../stores/shared/loader.ts'
import {
  $walletHistory,
  type HistoryEntry,
  loadHistory,
  loadOlder,
  type WalletHistory as Movements,
} from '../../stores/wallet/history.ts'
import { useLocale } from '../parts/island.tsx'
import { Price } from '../parts/Price.tsx'
import { LoadState } from '../parts/States.tsx'
import { Table } from '../parts/Table.tsx'
import { useTexts } from './texts.ts'
import { WaitingTopUps } from './WaitingTopUps.tsx'

const ROWS = ['button', 'button', 'button'] as const

/** The wallet's movements, newest first, or its loading, failed or empty state. */
export function WalletHistory({ userId }: { userId: number | undefined }) {
  const texts = useTexts('charging:page').history
  const history = useStore($walletHistory, { ssr: notLoaded })
  useEffect(() => {
    if (userId) void loadHistory()
  }, [userId])
  if (isLacking(history)) return null
  return (
    <section className="stack history" aria-labelledby="history-title">
      <h2 id="history-title">{texts.title}</h2>
      <LoadState
        state={history}
        loading={{ text: texts.loading, shapes: ROWS }}
        failed={{ title: texts.failed, retry: texts.retry }}
        onRetry={loadHistory}
      >
        {(history) => <History history={history} />}
      </LoadState>
    </section>
  )
}

function History({ history }: { history: Movements }) {
  const texts = useTexts('charging:page').history
  const { entries, waiting } = history
  return (
    <>
      {waiting.length > 0 && <WaitingTopUps topUps={waiting} />}
      {entries.length > 0 && <MovementTable history={history} />}
      {entries.length === 0 && waiting.length === 0 && <p className="empty-state">{texts.empty}</p>}
    </>
  )
}

function MovementTable({ history }: { history: Movements }) {
  const texts = useTexts('charging:page').history
  return (
    <>
      <Table columns={texts.columns}>
        <tbody>
          {history.entries.map((entry) => (
            <Movement key={entry.id} entry={entry} />
          ))}
        </tbody>
      </Table>
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

function Movement({ entry }: { entry: HistoryEntry }) {
  const locale = useLocale()
  const texts = useTexts('charging:page').history
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
        <Signed amount={entry.amount} />
      </td>
      <td data-label={columns.after}>
        <Price amount={entry.balanceAfter} />
      </td>
    </tr>
  )
}

/** A movement's amount, in dinars: the sign shows its direction, the colour only repeats it. */
function Signed({ amount }: { amount: number }) {
  const locale = useLocale()
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
