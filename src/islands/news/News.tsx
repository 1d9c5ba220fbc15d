import './news.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { formatDate } from '../../i18n/dates.ts'
import { calledIn, fillText, isolate, priceText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { nameIn } from '../../rules/catalogue-names.ts'
import { followKey } from '../../rules/following.ts'
import type { PageAddress } from '../../rules/pages.ts'
import {
  $news,
  keyOfSubject,
  loadNews,
  type News as OneNews,
  setFollowed,
} from '../../stores/following/following.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { startSync } from '../../stores/sync.ts'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { EmptyState, LoadState, LoggedOut } from '../parts/States.tsx'
import { useCustomer } from '../parts/use-customer.ts'

export const { island, useTexts } = islandTexts(
  'following:page',
  'catalogue:matieres',
  'catalogue:niveaux',
  'errors:codes',
)

function News() {
  const locale = useLocale()
  const texts = useTexts('following:page')
  const returnTo = pathIn(locale, '/news')
  const userId = useCustomer(returnTo)
  const state = useStore($news, { ssr: notLoaded })
  useEffect(startSync, [])
  useEffect(() => {
    if (userId) void loadNews()
  }, [userId])
  if (userId === null) {
    return <LoggedOut text={texts.notLoggedIn} login={texts.login} returnTo={returnTo} />
  }
  return (
    <LoadState
      state={state}
      loading={{ text: texts.loading, shapes: ['line', 'line', 'line'] }}
      failed={texts.failed}
      onRetry={loadNews}
    >
      {({ news, ...follows }) => (
        <>
          {news.length === 0 ? (
            <EmptyState {...texts.empty}>
              <ButtonLink kind="primary" to="/teachers">
                {texts.teachers}
              </ButtonLink>
            </EmptyState>
          ) : (
            <ul className="news">
              {news.map((each) => (
                <NewsLine news={each} key={`${each.kind} ${each.document.id}`} />
              ))}
            </ul>
          )}
          <Follows {...follows} />
        </>
      )}
    </LoadState>
  )
}

export default island(News)

function NewsLine({ news: { kind, at, isNew, priceBefore, document } }: { news: OneNews }) {
  const locale = useLocale()
  const texts = useTexts('following:page')
  const { id, title, price, teacher } = document
  const path: PageAddress = kind === 'version' ? '/my-documents' : `/shop-details/${id}`
  const values = {
    teacher: isolate(calledIn(locale, teacher)),
    before: priceText(locale, priceBefore ?? price),
    price: priceText(locale, price),
  }
  return (
    <li>
      <p className="cluster">
        {isNew && <strong className="news__new">{texts.new}</strong>}
        <a className="link along" href={pathIn(locale, path)} dir="auto">
          {title}
        </a>
      </p>
      <p>{fillText(texts.kinds[kind], values)}</p>
      <p className="soft small">{formatDate(locale, at)}</p>
    </li>
  )
}

type Follows = Omit<Extract<ReturnType<typeof $news.get>, { phase: 'ready' }>['value'], 'news'>

/** What is followed, each with a button that ends it. */
function Follows({ teachers, subjects }: Pick<Follows, 'teachers' | 'subjects'>) {
  const locale = useLocale()
  const texts = useTexts('following:page')
  const matieres = useTexts('catalogue:matieres')
  const niveaux = useTexts('catalogue:niveaux')
  const [busyKey, setBusyKey] = useState('')
  const [hasFailed, setFailed] = useState(false)
  const lines = [
    ...teachers.map((teacher) => ({
      key: followKey({ teacherId: teacher.id }),
      path: `/teacher-details/${teacher.id}` as PageAddress,
      name: calledIn(locale, teacher),
    })),
    ...subjects.map(({ classe, matiere }) => ({
      key: keyOfSubject({ classe, matiere }),
      path: (classe.code && matiere.code
        ? `/programme/${classe.code}/${matiere.code}`
        : `/shop?niveauId=${classe.id}&matiereId=${matiere.id}`) as PageAddress,
      name: `${nameIn(locale, classe, niveaux)} · ${nameIn(locale, matiere, matieres)}`,
    })),
  ]
  const stop = async (key: string) => {
    if (busyKey) return
    setBusyKey(key)
    setFailed(false)
    if ((await setFollowed(key, false)) === 'failed') setFailed(true)
    // The button is gone with its line.
    else document.getElementById(HEADING)?.focus()
    setBusyKey('')
  }
  return (
    <section className="stack" aria-labelledby={HEADING}>
      <h2 id={HEADING} tabIndex={-1}>
        {texts.follows}
      </h2>
      {hasFailed && <Message kind="error" text={texts.notStopped} />}
      <p className="soft">{lines.length === 0 ? texts.how : texts.about}</p>
      {lines.length > 0 && (
        <ul className="news">
          {lines.map(({ key, path, name }) => (
            <li className="news__followed" key={key}>
              <a className="link" href={pathIn(locale, path)} dir="auto">
                {name}
              </a>
              <Button isBusy={busyKey === key} onClick={() => void stop(key)}>
                {texts.stop}
                <span className="visually-hidden"> {name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const HEADING = 'follows'
