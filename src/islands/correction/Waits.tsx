import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { calledIn, fillText, isolate } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $session } from '../../stores/session/session.ts'
import { isLacking, notLoaded } from '../../stores/shared/loader.ts'
import { logOnly } from '../../stores/shared/problem.ts'
import { $waits, endWait, loadWaits, type Wait } from '../../stores/wishlist/waits.ts'
import { Button } from '../parts/Button.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { LoadState } from '../parts/States.tsx'

const { island, useTexts } = islandTexts('wishlist:waits', 'errors:codes')

const nobody = () => null

/** The papers for whose correction the customer waits, each with a button that ends the wait. */
function Waits() {
  const texts = useTexts('wishlist:waits')
  const session = useStore($session, { ssr: nobody })
  const state = useStore($waits, { ssr: notLoaded })
  const userId = session?.userId
  useEffect(() => {
    if (userId !== undefined) void loadWaits()
  }, [userId])
  if (userId === undefined || isLacking(state)) return null
  return (
    <section className="stack" aria-labelledby="waits">
      <h2 id="waits">{texts.title}</h2>
      <LoadState
        state={state}
        loading={{ text: texts.loading, shapes: ['line', 'line'] }}
        failed={texts.failed}
        onRetry={loadWaits}
      >
        {(waits) => <List waits={waits} />}
      </LoadState>
    </section>
  )
}

export default island(Waits)

function List({ waits }: { waits: readonly Wait[] }) {
  const texts = useTexts('wishlist:waits')
  const [ended, setEnded] = useState<Wait | null>(null)
  return (
    <>
      {ended && (
        <Message
          key={ended.id}
          kind="success"
          text={fillText(texts.ended, { title: isolate(ended.title) })}
        />
      )}
      {waits.length === 0 ? (
        <p className="soft">{texts.none}</p>
      ) : (
        <ul className="stack">
          {waits.map((wait) => (
            <Row key={wait.id} wait={wait} onEnded={setEnded} />
          ))}
        </ul>
      )}
    </>
  )
}

function Row({ wait, onEnded }: { wait: Wait; onEnded: (wait: Wait) => void }) {
  const locale = useLocale()
  const texts = useTexts('wishlist:waits')
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const { id, title, teacher, addedAt, isForSale } = wait
  const end = async () => {
    if (isBusy) return
    setBusy(true)
    setFailed(false)
    try {
      await endWait(id)
      onEnded(wait)
    } catch (error) {
      logOnly('ending a wait')(error)
      setBusy(false)
      setFailed(true)
    }
  }
  const since = fillText(texts.since, { date: isolate(formatDate(locale, addedAt)) })
  return (
    <li className="panel cluster">
      <div>
        {isForSale ? (
          <a className="link along" href={pathIn(locale, `/shop-details/${id}`)}>
            <bdi>{title}</bdi>
          </a>
        ) : (
          <span className="along">
            <bdi>{title}</bdi>
          </span>
        )}
        <p className="soft small">
          <bdi>{calledIn(locale, teacher)}</bdi> · {since}
          {!isForSale && <> · {texts.notForSale}</>}
        </p>
      </div>
      <Button className="push" isBusy={isBusy} onClick={end}>
        {texts.end}
        <span className="visually-hidden" dir="auto">
          {' '}
          {title}
        </span>
      </Button>
      {hasFailed && <Message kind="line" text={texts.endFailed} />}
    </li>
  )
}
