import '../../parts/field.css'
import './charging.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, isolate, priceParts } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { isLacking, notLoaded } from '../../stores/shared/loader.ts'
import {
  $walletHistory,
  followBalance,
  type HistoryEntry,
  loadHistory,
  loadOlder,
  type WalletHistory as Movements,
  type WaitingTopUp,
} from '../../stores/wallet/history.ts'
import { Button } from '../parts/Button.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { Price } from '../parts/Price.tsx'
import { LoadState } from '../parts/States.tsx'
import { Table } from '../parts/Table.tsx'
import { useTexts } from './texts.ts'
import '../parts/open-orders.css'
import { shownReference } from '../../stores/shared/references.ts'

const ROWS = ['button', 'button', 'button'] as const

export function WalletHistory({ userId }: { userId: number | undefined }) {
  const texts = useTexts('charging:page').history
  const history = useStore($walletHistory, { ssr: notLoaded })
  useEffect(() => {
    if (userId) void loadHistory()
  }, [userId])
  useEffect(followBalance, [])
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
      {typeof history.older === 'object' && <Message kind="line" text={texts.olderFailed} />}
      {history.next !== null && (
        <p>
          <Button isBusy={history.older === 'loading'} onClick={loadOlder}>
            {texts.older}
          </Button>
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

const HEADING = 'waiting-top-ups'

function WaitingTopUps({ topUps }: { topUps: readonly WaitingTopUp[] }) {
  const texts = useTexts('charging:page').history.waiting
  return (
    <section className="panel stack" aria-labelledby={HEADING}>
      <h3 id={HEADING}>{texts.title}</h3>
      <ul className="open-orders">
        {topUps.map((topUp) => (
          <TopUp key={topUp.paymentRef} topUp={topUp} />
        ))}
      </ul>
    </section>
  )
}

function TopUp({ topUp }: { topUp: WaitingTopUp }) {
  const locale = useLocale()
  const texts = useTexts('charging:page').history.waiting
  const methods = useTexts('common:methods')
  const { state, method, amount, paymentRef, expiresAt, paymentUrl } = topUp
  const isWaiting = state === 'pending'
  return (
    <li>
      <p className="cluster">
        <span className={isWaiting ? 'badge badge--new' : 'badge badge--quiet'}>
          {texts.states[state]}
        </span>
        <strong>
          <bdi>{methods[method]}</bdi>
        </strong>
        <Price amount={amount} />
      </p>
      <p className="small soft">
        {fillText(texts.reference, { reference: isolate(shownReference(paymentRef)) })}
        {isWaiting && ` ${fillText(texts.until, { date: isolate(formatDate(locale, expiresAt)) })}`}
      </p>
      {paymentUrl !== null && (
        <a className="button" href={paymentUrl}>
          {texts.open}
        </a>
      )}
    </li>
  )
}
