import './my-documents.css'
import '../parts/choices.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { formatSize } from '../../i18n/file-size.ts'
import { fillText, isolate, priceText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $library, $listKeptAt, loadLibrary, refreshLibrary } from '../../stores/library/library.ts'
import { sendMarks } from '../../stores/library/marks.ts'
import { loadShelves } from '../../stores/library/shelves.ts'
import { followAddress } from '../../stores/library/shown.ts'
import { $kept, $spaceLeft, dropDocument, type Kept } from '../../stores/offline/kept.ts'
import { $session } from '../../stores/session/session.ts'
import { callOverlays } from '../../stores/shared/dialogs.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { type PageNotice, takeNotice } from '../../stores/shared/page-notices.ts'
import { startSync } from '../../stores/sync.ts'
import { isOwnPhone, setOwnPhone } from '../../stores/user-data/phone.ts'
import { Button } from '../parts/Button.tsx'
import { useLocale } from '../parts/island.tsx'
import { KeepButton } from '../parts/KeepButton.tsx'
import { Message } from '../parts/Message.tsx'
import { EmptyState, LoadState, LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'
import { OffersInvoices } from './Actions.tsx'
import { Explore, Owned } from './Owned.tsx'
import { SharePurchase } from './SharePurchase.tsx'
import { island, useTexts } from './texts.ts'
import '../parts/open-orders.css'
import { listed } from '../../i18n/listed.ts'
import {
  $failedOrders,
  $waitingOrders,
  followOrders,
  loadOrders,
  type Order,
} from '../../stores/purchase/orders.ts'
import { shownReference } from '../../stores/shared/references.ts'
import { Price } from '../parts/Price.tsx'
import { WaitingOrder } from '../waiting-order/WaitingOrder.tsx'

const BOOKS = ['cover', 'cover', 'cover', 'cover'] as const

function MyDocuments({ offersInvoices }: { offersInvoices: boolean }) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const returnTo = pathIn(locale, '/my-documents')
  const userId = useCustomer(returnTo)
  const library = useStore($library, { ssr: notLoaded })

  useEffect(() => {
    // The preview is a separate island, which otherwise hydrates only when it is first opened.
    startSync()
    callOverlays().catch(() => undefined) // the preview's own call says so
    return followAddress()
  }, [])
  useEffect(() => {
    if (!userId) return undefined
    void loadLibrary()
    void loadShelves()
    void sendMarks()
    // When the visitor returns from the reader, the browser restores the page as it was.
    const catchUp = ({ persisted }: PageTransitionEvent) => persisted && void refreshLibrary()
    addEventListener('pageshow', catchUp)
    return () => removeEventListener('pageshow', catchUp)
  }, [userId])

  if (userId === null) {
    return (
      <>
        <LoggedOut text={texts.notLoggedIn} login={texts.login} returnTo={returnTo} />
        <KeptDocuments />
      </>
    )
  }
  return (
    <>
      <PurchaseNotice />
      {userId && <OpenOrders />}
      <AsOf />
      <LoadState
        state={library}
        loading={{ text: texts.loading, shapes: BOOKS, className: 'books' }}
        failed={texts.failed}
        onRetry={loadLibrary}
      >
        {(documents) =>
          documents.length > 0 ? (
            <OffersInvoices value={offersInvoices}>
              <Owned count={documents.length} />
            </OffersInvoices>
          ) : (
            <EmptyState {...texts.empty}>
              <Explore text={texts.explore} isMain />
            </EmptyState>
          )
        }
      </LoadState>
      <KeptDocuments />
    </>
  )
}

/** The date of the list, if it is the copy kept in this browser. */
function AsOf() {
  const locale = useLocale()
  const { asOf } = useTexts('offline:list')
  const at = useStore($listKeptAt, { ssr: () => null })
  if (at === null) return null
  const date = isolate(formatDate(locale, new Date(at).toISOString()))
  return <Message kind="note" text={fillText(asOf, { date })} />
}

type Purchased = Extract<PageNotice, { kind: 'purchased' | 'partly_purchased' }>

function PurchaseNotice() {
  const texts = useTexts('library:page')
  const [notice, setNotice] = useState<Purchased | null>(null)
  useEffect(() => {
    setNotice((shown) => shown ?? takeNotice(['purchased', 'partly_purchased']))
  }, [])
  if (!notice) return null
  const titles = notice.kind === 'purchased' ? [] : notice.titles.map((title) => isolate(title))
  return (
    <>
      {notice.kind === 'purchased' ? (
        <Message kind="success" text={texts.purchased} />
      ) : (
        <Message
          kind="note"
          text={fillText(texts.partlyPurchased, { titles: titles.join(', ') })}
        />
      )}
      <SharePurchase ids={notice.ids} />
    </>
  )
}

export default island(MyDocuments)

/** The remaining space is shown when it is below this many bytes. */
const SCARCE_BYTES = 2 ** 30

const NOTHING: ReadonlyMap<number, Kept> = new Map()
const nothing = () => NOTHING
const unknown = () => null

/** The documents kept on this device and the space they take; renders nothing if there are none. */
function KeptDocuments() {
  const locale = useLocale()
  const texts = useTexts('offline:list')
  const kept = [...useStore($kept, { ssr: nothing }).values()]
  const left = useStore($spaceLeft, { ssr: unknown })
  const userId = useStore($session, { ssr: unknown })?.userId
  if (kept.length === 0) return null
  const bytes = kept.reduce((sum, document) => sum + document.bytes, 0)
  const sized = (text: string, size: number) =>
    fillText(text, { size: isolate(formatSize(locale, size)) })
  return (
    <section className="panel stack kept" aria-labelledby="kept-documents">
      <h2 id="kept-documents">{texts.title}</h2>
      <ul className="kept__list">
        {kept.map(({ documentId, title }) => (
          <li key={documentId}>
            <a className="along" dir="auto" href={pathIn(locale, `/read/${documentId}`)}>
              {title}
            </a>
            <KeepButton documentId={documentId} title={title} />
          </li>
        ))}
      </ul>
      <p className="cluster small soft">
        <span>{sized(texts.total, bytes)}</span>
        {left !== null && left < SCARCE_BYTES && <span>{sized(texts.free, left)}</span>}
        <Button onClick={() => removeAll(kept)}>{texts.removeAll}</Button>
      </p>
      {userId !== undefined && <OwnPhone key={userId} userId={userId} />}
    </section>
  )
}

async function removeAll(kept: readonly Kept[]): Promise<void> {
  for (const { documentId } of kept) await dropDocument(documentId)
}

function OwnPhone({ userId }: { userId: number }) {
  const texts = useTexts('offline:list')
  const [isOwn, setOwn] = useState(() => isOwnPhone(userId))
  return (
    <label className="choice-card">
      <input
        type="checkbox"
        checked={isOwn}
        onChange={({ currentTarget }) => {
          setOwn(currentTarget.checked)
          setOwnPhone(userId, currentTarget.checked)
        }}
      />
      <span>
        {texts.mine}
        <span className="small soft kept__hint">{texts.mineHint}</span>
      </span>
    </label>
  )
}

/** Orders whose payment has not arrived yet, and those that failed recently; polled while shown. */
function OpenOrders() {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const waiting = useStore($waitingOrders)
  const lapsed = useStore($failedOrders)
  useEffect(() => {
    void loadOrders()
    return followOrders()
  }, [])
  return (
    <div aria-live="polite" className="stack">
      {waiting.length > 0 && (
        <section className="panel stack" aria-labelledby="waiting-orders">
          <h2 id="waiting-orders">{texts.waiting.title}</h2>
          <ul className="open-orders">
            {waiting.map((order) => (
              <Waiting key={order.id} order={order} />
            ))}
          </ul>
        </section>
      )}
      {lapsed.map((order) => (
        <p className="alert" key={order.id}>
          {fillText(order.status === 'expired' ? texts.lapsed.expired : texts.lapsed.cancelled, {
            order: isolate(String(order.id)),
          })}{' '}
          <a className="link" href={pathIn(locale, '/checkout')}>
            {texts.lapsed.again}
          </a>
        </p>
      ))}
    </div>
  )
}

function Waiting({ order }: { order: Order }) {
  const locale = useLocale()
  const texts = useTexts('library:page').waiting
  const actions = useTexts('order:waiting')
  const methods = useTexts('common:methods')
  const { id, items, total, code, method, payment, expiresAt } = order
  const before = items.reduce((sum, { price, priceBefore = price }) => sum + priceBefore, 0)
  const reference = payment ? shownReference(payment.paymentRef) : ''
  return (
    <li>
      <p className="cluster">
        <span className="badge badge--new">{actions.status}</span>
        {method !== 'wallet' && <strong>{methods[method]}</strong>}
        <Price amount={total} />
      </p>
      {code && (
        <p className="small soft">
          {fillText(texts.code, { code: isolate(code), amount: priceText(locale, before) })}
        </p>
      )}
      <p className="small soft">
        {fillText(texts.text, { order: isolate(String(id)), reference: isolate(reference) })}{' '}
        {fillText(texts.until, { date: isolate(formatDate(locale, expiresAt)) })}
      </p>
      <p dir="auto" className="along">
        {listed(
          locale,
          items.map(({ title }) => isolate(title)),
        )}
      </p>
      {payment?.paymentUrl && (
        <a className="button" href={payment.paymentUrl}>
          {method === 'card' ? texts.pay : texts.open}
        </a>
      )}
      <WaitingOrder orderId={id} />
    </li>
  )
}
